# files.cmake -- install into a scratch prefix; the files there must be those of files.txt.
#
# cmake -DBUILD= -DPREFIX= -DCONFIG= -DEXPECTED= -DVERSION= ... -P files.cmake

cmake_minimum_required(VERSION 3.20)
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" --config "${CONFIG}"
	OUTPUT_QUIET RESULT_VARIABLE failed)
if(failed)
	message(FATAL_ERROR "cmake --install failed")
endif()

string(TOLOWER "${CONFIG}" CONFIG)
file(STRINGS "${EXPECTED}" lines)
set(expected "")
foreach(line IN LISTS lines)
	if(NOT TOOL AND line MATCHES "BINDIR|MANDIR")
		continue()
	endif()
	string(CONFIGURE "${line}" line @ONLY)
	list(APPEND expected "${line}")
endforeach()
file(GLOB_RECURSE found RELATIVE "${PREFIX}" "${PREFIX}/*")

set(wrong "")
foreach(file IN LISTS expected)
	if(NOT file IN_LIST found)
		string(APPEND wrong "\n  not installed: ${file}")
	endif()
endforeach()
foreach(file IN LISTS found)
	if(NOT file IN_LIST expected)
		string(APPEND wrong "\n  not expected: ${file}")
	endif()
endforeach()
if(wrong)
	message(FATAL_ERROR "installed files differ from files.txt:${wrong}")
endif()
