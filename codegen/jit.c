/* jit.c -- the only file that knows of libtcc.
 *
 * In     C text without includes, the codelets it calls
 * Out    its function, in pages that are readable and executable, and no longer writable
 * Keeps  one lock around libtcc. libtcc serialises within a process but not across fork(). So the lock is
 *        taken before a fork and released on both sides: a child never finds libtcc in the middle of a
 *        compile
 * Fails  with a sentence: libtcc's own first message, or what the system denied
 * Tests  tests/unit/test_jit.c
 */
#include "codegen/jit.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef VF_HAVE_LIBTCC
#define VF_HAVE_LIBTCC 0
#endif
#ifndef VF_TCC_RELOCATE_PTR
#define VF_TCC_RELOCATE_PTR 0
#endif

#if !VF_HAVE_LIBTCC

const char *vf_jit_refusal(void)
{
	return "this build has no libtcc";
}

bool vf_jit_compile(vf_jit *jit, const char *text, unsigned used, const vf_codelets *codelets, char *message,
                    size_t size)
{
	(void)jit, (void)text, (void)used, (void)codelets;
	snprintf(message, size, "%s", vf_jit_refusal());
	return false;
}

void vf_jit_free(vf_jit *jit)
{
	(void)jit;
}

#else

#include "codegen/tcc_arithmetic.h"
#include "codegen/tcc_host.h"

#include <libtcc.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t jit_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t jit_once = PTHREAD_ONCE_INIT;
static const char *jit_denied = "";
static atomic_bool jit_broken; /* vf_tcc_exit left libtcc: its own lock stays taken */

/* ---- once a process ---- */

static void before_fork(void)
{
	pthread_mutex_lock(&jit_lock);
}
static void after_fork(void)
{
	pthread_mutex_unlock(&jit_lock);
}

static size_t page_size(void)
{
	long bytes = sysconf(_SC_PAGESIZE);
	return bytes > 0 ? (size_t)bytes : 4096;
}

static void *writable_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

/* May a page that was written become executable? SELinux and PR_SET_MDWE say no. */
static void ask_once(void)
{
	size_t bytes = page_size();
	unsigned char *page = writable_pages(bytes);
	if (!page) {
		jit_denied = "no memory for code could be mapped";
		return;
	}
	page[0] = 0xc3;
	if (mprotect(page, bytes, PROT_READ | PROT_EXEC) != 0)
		jit_denied = "the system denies executable memory";
	munmap(page, bytes);
	if (pthread_atfork(before_fork, after_fork, after_fork) != 0)
		jit_denied = "no fork handler could be set";
}

const char *vf_jit_refusal(void)
{
	pthread_once(&jit_once, ask_once);
	if (atomic_load_explicit(&jit_broken, memory_order_relaxed))
		return "libtcc ran out of memory in this process";
	return jit_denied;
}

/* ---- one compile ---- */

typedef struct job {
	vf_jit *jit;
	const char *text;
	unsigned used;
	const vf_codelets *codelets;
	char *message;
	size_t size;
} job;

/* libtcc's callback: keeps the first message, without the lines that tell what included what. */
static void keep_message(void *opaque, const char *text)
{
	job *j = opaque;
	const char *last = strrchr(text, '\n');
	if (!j->message[0])
		snprintf(j->message, j->size, "%s", last ? last + 1 : text);
}

static bool failed(job *j, const char *text)
{
	keep_message(j, text);
	return false;
}

/* Returns a codelet as the data pointer that tcc_add_symbol takes. ISO C has no cast from a function to
 * one. */
static const void *address_of(vf_codelet *codelet)
{
	const void *address;
	memcpy(&address, &codelet, sizeof address);
	return address;
}

/* Binds what libtcc's own code calls to clear or copy a struct. */
static bool bind_memory(TCCState *s)
{
	void *(*const clear)(void *, int, size_t) = memset;
	void *(*const copy)(void *, const void *, size_t) = memmove;
	const void *address[2];
	memcpy(&address[0], &clear, sizeof clear);
	memcpy(&address[1], &copy, sizeof copy);
	return tcc_add_symbol(s, "memset", address[0]) == 0 && tcc_add_symbol(s, "memcpy", address[1]) == 0 &&
	       tcc_add_symbol(s, "memmove", address[1]) == 0;
}

static bool bind(job *j, TCCState *s)
{
	if (!bind_memory(s))
		return failed(j, "memset could not be bound");
	for (int k = 0; k < VF_CODELETS; k++) {
		char symbol[32];
		snprintf(symbol, sizeof symbol, "vf_%s", vf_codelet_name((vf_codelet_id)k));
		if (j->used & 1u << k && tcc_add_symbol(s, symbol, address_of(j->codelets->of[k])) != 0)
			return failed(j, "a codelet could not be bound");
	}
	for (const vf_tcc_function *f = vf_tcc_arithmetic; f->name; f++)
		if (tcc_add_symbol(s, f->name, f->address) != 0)
			return failed(j, "64-bit arithmetic could not be bound");
	return true;
}

#if VF_TCC_RELOCATE_PTR
static bool place(job *j, TCCState *s)
{
	int bytes = tcc_relocate(s, NULL);
	if (bytes <= 0)
		return failed(j, "code could not be sized");
	size_t page = page_size();
	j->jit->page_bytes = ((size_t)bytes + page - 1) / page * page;
	j->jit->pages = writable_pages(j->jit->page_bytes);
	if (!j->jit->pages)
		return failed(j, "no memory for code could be mapped");
	if (tcc_relocate(s, j->jit->pages) != 0)
		return failed(j, "code could not be relocated");
	if (mprotect(j->jit->pages, j->jit->page_bytes, PROT_READ | PROT_EXEC) != 0)
		return failed(j, "the system denies executable memory");
	return true;
}
#else
static bool place(job *j, TCCState *s)
{
	return tcc_relocate(s) == 0 || failed(j, "code could not be relocated");
}
#endif

static bool find_entry(job *j, TCCState *s)
{
	void *symbol = tcc_get_symbol(s, "vf_kernel");
	if (!symbol)
		return failed(j, "the text defines no vf_kernel");
	memcpy(&j->jit->entry, &symbol, sizeof symbol);
	return true;
}

static bool compile_in(job *j, TCCState *s)
{
	tcc_set_error_func(s, j, keep_message);
	tcc_set_options(s, "-nostdlib -nostdinc");
	return tcc_set_output_type(s, TCC_OUTPUT_MEMORY) == 0 && tcc_compile_string(s, j->text) == 0 &&
	       bind(j, s) && place(j, s) && find_entry(j, s);
}

/* Compiles, with the lock held. If libtcc wanted to exit, its state is not freed: nobody knows what it is
 * in. */
static bool compile_locked(job *j)
{
	jmp_buf way_out;
	if (setjmp(way_out) != 0) {
		vf_tcc_way_out = NULL;
		atomic_store_explicit(&jit_broken, true, memory_order_relaxed);
		return failed(j, "libtcc ran out of memory");
	}
	vf_tcc_way_out = &way_out;
	if (VF_TCC_RELOCATE_PTR) /* else states live on */
		vf_tcc_arena_open();
	TCCState *s = tcc_new();
	bool made = s ? compile_in(j, s) : failed(j, "libtcc could not start");
	if (s && (VF_TCC_RELOCATE_PTR || !made))
		tcc_delete(s);
	else
		j->jit->state = s;
	vf_tcc_arena_close();
	vf_tcc_way_out = NULL;
	return made;
}

bool vf_jit_compile(vf_jit *jit, const char *text, unsigned used, const vf_codelets *codelets, char *message,
                    size_t size)
{
	job j = {jit, text, used, codelets, message, size};
	memset(jit, 0, sizeof *jit);
	message[0] = 0;
	const char *refusal = vf_jit_refusal();
	if (refusal[0])
		return failed(&j, refusal);
	pthread_mutex_lock(&jit_lock);
	int64_t start = vf_now_ns();
	bool made = compile_locked(&j);
	jit->compile_ns = vf_now_ns() - start;
	pthread_mutex_unlock(&jit_lock);
	if (!made) {
		failed(&j, "libtcc refused the text");
		vf_jit_free(jit);
	}
	return made;
}

void vf_jit_free(vf_jit *jit)
{
	if (jit->pages)
		munmap(jit->pages, jit->page_bytes);
	if (jit->state) {
		pthread_mutex_lock(&jit_lock);
		tcc_delete(jit->state);
		pthread_mutex_unlock(&jit_lock);
	}
	memset(jit, 0, sizeof *jit);
}

#endif
