# Write NAME.c and NAME.h: the loop of EXPR over DECL, as C without a library.
#
#   cmake -DVIEWFOLD=... -DNAME=patches -DEXPR=... -DDECL=x=u8[...] -P dump.cmake
#
# The C file defines NAME_kernel(dst, sources, scratch, begin, end); a whole run is units 0 to
# NAME_UNITS. Chains with a cut would want scratch as well and are refused here.
execute_process(COMMAND "${VIEWFOLD}" dump --standalone "${EXPR}" "${DECL}"
	OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
if(NOT text MATCHES "root: units 0 to ([0-9]+)")
	message(FATAL_ERROR "no units in what viewfold dump wrote")
endif()
set(units "${CMAKE_MATCH_1}")
execute_process(COMMAND "${VIEWFOLD}" explain "${EXPR}" "${DECL}"
	OUTPUT_VARIABLE fold COMMAND_ERROR_IS_FATAL ANY)
if(NOT fold MATCHES "\ncuts: 0\n")
	message(FATAL_ERROR "${EXPR} does not fold without a cut")
endif()
string(REPLACE "vf_kernel(" "${NAME}_kernel(" text "${text}")
string(TOUPPER "${NAME}" upper)
file(WRITE "${NAME}.c" "${text}")
file(WRITE "${NAME}.h" "/* ${DECL}: ${EXPR} */
#define ${upper}_UNITS ${units}
void ${NAME}_kernel(unsigned char *dst, const unsigned char *const *src, unsigned char *scratch,
                    long long begin, long long end);
")
