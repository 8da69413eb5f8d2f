/* run.c -- viewfold run: the elements of the result, or of several, into files. */
#include "outputs.h"
#include "save.h"

int command_run(const struct request *request)
{
	struct session session;
	if (!request->output)
		return complain_usage(
		    "run needs an output: -o OUT.npy, -o OUT.png or -o OUT.safetensors:NAME");
	if (outputs_several(request))
		return outputs_run(request);
	if (!save_knows(request->output))
		return complain_usage(
		    "-o %s: an output's name ends in .npy or .png, or is FILE.safetensors:NAME",
		    request->output);
	if (!session_open(&session, request, BYTES_PIECES))
		return STATUS_FAILED;
	bool done = save_npy(&session, request->output);
	return session_end(&session, done);
}
