# linux.cmake -- a build for another Linux by Debian's cross compilers, run by qemu-user.
#
# Included by the toolchain file of each machine, which sets
#   triple      what the compilers are called: ${triple}-gcc
#   processor   CMAKE_SYSTEM_PROCESSOR
#   emulator    qemu-${emulator}-static runs its programs
# VIEWFOLD_SYSROOT, a variable or one of the environment, is the folder that sysroot.sh filled.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CXX_COMPILER ${triple}-g++)

set(VIEWFOLD_SYSROOT "$ENV{VIEWFOLD_SYSROOT}" CACHE PATH "Libraries of the machine that is built for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES VIEWFOLD_SYSROOT)
set(CMAKE_FIND_ROOT_PATH "${VIEWFOLD_SYSROOT}" /usr/${triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# What the libraries of the sysroot need in their turn lies beside them.
file(GLOB library_folders "${VIEWFOLD_SYSROOT}/usr/lib/*-linux-*")
foreach(folder IN LISTS library_folders)
	string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,-rpath-link,${folder}")
endforeach()
list(JOIN library_folders ":" library_path)
set(CMAKE_CROSSCOMPILING_EMULATOR
	"qemu-${emulator}-static;-L;/usr/${triple};-E;LD_LIBRARY_PATH=${library_path}:/usr/${triple}/lib")
