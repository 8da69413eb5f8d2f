# libtcc.cmake -- find libtcc and make one object of it that shows only tcc_*.
#
# libtcc.a defines some 220 global names without a prefix (g, next, file, load): a host program
# with a function of one of those names would not link. And it reaches stdout, stderr and
# environ by addresses that a shared library may not use. So its members become one relocatable
# object, in which all but tcc_* is local and the three variables are our own (streams.c).
#
# Sets  viewfold_libtcc_definitions  VF_HAVE_LIBTCC=0/1, VF_TCC_RELOCATE_PTR=1 for the libtcc
#                                    whose tcc_relocate() takes the memory to copy to
#       viewfold_libtcc_object       the object, or nothing
#       viewfold_libtcc_sources, viewfold_libtcc_include, viewfold_libtcc_libraries

include(CheckSymbolExists)

set(viewfold_libtcc_definitions VF_HAVE_LIBTCC=0)
set(viewfold_libtcc_object "")
set(viewfold_libtcc_sources "")
set(viewfold_libtcc_include "")
set(viewfold_libtcc_libraries "")
set(viewfold_have_libtcc OFF)

if(NOT VIEWFOLD_LIBTCC)
	return()
endif()

find_path(VIEWFOLD_LIBTCC_INCLUDE libtcc.h)
find_library(VIEWFOLD_LIBTCC_ARCHIVE NAMES libtcc.a)
mark_as_advanced(VIEWFOLD_LIBTCC_INCLUDE VIEWFOLD_LIBTCC_ARCHIVE)
if(NOT VIEWFOLD_LIBTCC_INCLUDE OR NOT VIEWFOLD_LIBTCC_ARCHIVE OR NOT CMAKE_OBJCOPY)
	message(STATUS "libtcc.h, libtcc.a or objcopy not found: building an interpreter-only library")
	return()
endif()

set(viewfold_have_libtcc ON)
set(viewfold_libtcc_definitions VF_HAVE_LIBTCC=1)
set(CMAKE_REQUIRED_INCLUDES "${VIEWFOLD_LIBTCC_INCLUDE}")
check_symbol_exists(TCC_RELOCATE_AUTO libtcc.h VIEWFOLD_TCC_RELOCATE_AUTO)
unset(CMAKE_REQUIRED_INCLUDES)
if(VIEWFOLD_TCC_RELOCATE_AUTO)
	list(APPEND viewfold_libtcc_definitions VF_TCC_RELOCATE_PTR=1)
endif()

set(viewfold_libtcc_include "${VIEWFOLD_LIBTCC_INCLUDE}")
set(viewfold_libtcc_libraries ${CMAKE_DL_LIBS})
set(viewfold_libtcc_sources "${CMAKE_CURRENT_LIST_DIR}/streams.c")
set(viewfold_libtcc_object "${PROJECT_BINARY_DIR}/libtcc-isolated.o")
add_custom_command(OUTPUT "${viewfold_libtcc_object}"
	COMMAND "${CMAKE_COMMAND}" -DAR=${CMAKE_AR} -DLD=${CMAKE_LINKER} -DOBJCOPY=${CMAKE_OBJCOPY}
		-DINPUT=${VIEWFOLD_LIBTCC_ARCHIVE} -DOUTPUT=${viewfold_libtcc_object}
		-P "${CMAKE_CURRENT_LIST_DIR}/isolate.cmake"
	DEPENDS "${VIEWFOLD_LIBTCC_ARCHIVE}" "${CMAKE_CURRENT_LIST_DIR}/isolate.cmake"
	COMMENT "Isolating libtcc" VERBATIM)
# One rule that makes it, however many libraries use it: parallel makes would race otherwise.
add_custom_target(viewfold_libtcc DEPENDS "${viewfold_libtcc_object}")
set_source_files_properties("${viewfold_libtcc_object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
