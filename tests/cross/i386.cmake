# 32-bit x86.
set(triple i686-linux-gnu)
set(processor i686)
set(emulator i386)
include("${CMAKE_CURRENT_LIST_DIR}/linux.cmake")

# Where the processor runs it by itself, that is many times faster.
execute_process(COMMAND /usr/i686-linux-gnu/lib/ld-linux.so.2 --version RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
if(refused EQUAL 0)
	set(CMAKE_CROSSCOMPILING_EMULATOR
		"/usr/i686-linux-gnu/lib/ld-linux.so.2;--library-path;${library_path}:/usr/i686-linux-gnu/lib")
endif()
