# Windows on x86-64 by MinGW-w64 with POSIX threads, run by Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Programs bring the compiler's own libraries along (threads among them), which no folder of Windows has.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

set(VIEWFOLD_SYSROOT "$ENV{VIEWFOLD_SYSROOT}" CACHE PATH "Libraries of the machine that is built for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES VIEWFOLD_SYSROOT)
set(CMAKE_FIND_ROOT_PATH "${VIEWFOLD_SYSROOT}/usr" /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
