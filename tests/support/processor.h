/* processor.h -- codelets as on a processor of another vendor.
 *
 * Codelets ask who made the processor: where hints go, which of two ways is faster. What they may use they
 * ask apart from that. So a machine of one vendor can run what it would run on one of another: not as fast,
 * but to the same bytes.
 */
#ifndef TESTS_PROCESSOR_H
#define TESTS_PROCESSOR_H

/* With VF_OTHER_PROCESSOR in the environment an AMD passes for an Intel from here on, all others for an AMD.
 * Elsewhere than on x86 it does nothing. test_all() calls it. */
void processor_choose(void);

#endif
