# isolate.cmake -- libtcc.a to one object that shows only tcc_*. See libtcc.cmake.
#
# cmake -DAR= -DLD= -DOBJCOPY= -DINPUT=libtcc.a -DOUTPUT=libtcc-isolated.o -P isolate.cmake

set(scratch "${OUTPUT}.members")
file(REMOVE_RECURSE "${scratch}")
file(MAKE_DIRECTORY "${scratch}")

function(run)
	execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${scratch}"
		RESULT_VARIABLE failed ERROR_VARIABLE message)
	if(failed)
		list(JOIN ARGN " " line)
		message(FATAL_ERROR "${line}: ${message}")
	endif()
endfunction()

run("${AR}" x "${INPUT}")
file(GLOB members "${scratch}/*.o")
# Functions that each object brings along, for the link to keep one of (32-bit x86 has them), become ordinary
# ones: what is local cannot be given up for another's.
execute_process(COMMAND "${LD}" --help OUTPUT_VARIABLE help ERROR_QUIET)
set(whole_groups "")
if(help MATCHES "--force-group-allocation")
	set(whole_groups --force-group-allocation)
endif()
run("${LD}" -r ${whole_groups} -o "${scratch}/all" ${members})
run("${OBJCOPY}" --wildcard "--keep-global-symbol=tcc_*"
	--redefine-sym stdout=vf_tcc_stdout
	--redefine-sym stderr=vf_tcc_stderr
	--redefine-sym environ=vf_tcc_environ
	# It may neither make memory writable and executable at once nor end the process: codegen/tcc_host.c.
	--redefine-sym mprotect=vf_tcc_mprotect
	--redefine-sym exit=vf_tcc_exit
	# Nor may it print: what it says without a state to say it through goes to stderr.
	--redefine-sym fprintf=vf_tcc_fprintf
	--redefine-sym __fprintf_chk=vf_tcc_fprintf_chk
	--redefine-sym fflush=vf_tcc_fflush
	# Its memory comes from one block that stays: a compile's page faults cost as much as the rest of it.
	--redefine-sym malloc=vf_tcc_malloc
	--redefine-sym calloc=vf_tcc_calloc
	--redefine-sym realloc=vf_tcc_realloc
	--redefine-sym free=vf_tcc_free
	"${scratch}/all" "${scratch}/isolated")
file(RENAME "${scratch}/isolated" "${OUTPUT}")
file(REMOVE_RECURSE "${scratch}")
