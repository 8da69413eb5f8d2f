#!/bin/sh
# An include that points upward fails, and so does a header that declares what another folder defines.
#
#   layering.sh SOURCE_DIR
#
# The bytes' half and the symbolic half meet in driver/ only, which stands above both. It sees of the expressions
# their entry alone, expr/eval.h. What elements are by their bits, core/half.h and
# core/element.h, is no layer's.
cd "$1" || exit 1
find src codegen -name '*.[ch]' | LC_ALL=C sort | xargs awk '
	BEGIN {
		row["core"] = "core"
		row["map"] = "core map"
		row["graph"] = "core map graph"
		row["expr"] = "core map graph expr"
		row["codelets"] = "codelets core/half.h"
		row["plan"] = "core codelets plan"
		row["codegen"] = "core codelets plan codegen"
		row["engine"] = "core codelets plan codegen engine"
		row["driver"] = "core map graph expr/eval.h codelets plan codegen engine driver"
		row["interop"] = "core map graph"
		row["cli"] = "cli core/half.h core/element.h"
		row["python"] = "python"
		for (layer in row) {
			n = split(row[layer], words, " ")
			for (i = 1; i <= n; i++) may[layer, words[i]] = 1
		}
	}
	function wrong(why) { print FILENAME ":" FNR ": " why; failed = 1 }
	# "src/graph" of "src/graph/array.h"
	# The stage that a file belongs to: a folder of src/ with those inside it, or codegen/.
	function folder(file, part) { split(file, part, "/"); return part[1] == "codegen" ? part[1] : part[1] "/" part[2] }
	# A function at the start of a line: its name is what stands before the first parenthesis. A macro is no function.
	/^[a-z][A-Za-z_0-9 *]*[ *][a-z][A-Za-z_0-9]*\(/ && !/^(static|typedef|return|else)[ \t]/ {
		name = $0
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		if (FILENAME ~ /\.h$/) declared[name] = declared[name] " " FILENAME
		else if ($0 !~ /;[ \t]*$/) defined[name] = defined[name] " " folder(FILENAME)
	}
	/^[ \t]*#[ \t]*include[ \t]/ {
		n = split(FILENAME, part, "/")
		layer = part[1] == "codegen" ? "codegen" : part[2]
		if ($0 ~ /libtcc\.h/) libtcc[FILENAME] = 1
		if (!match($0, /"[^"]*"/)) {
			if ($0 ~ /viewfold\.h/) wrong("include \"viewfold.h\", not <viewfold.h>")
			next
		}
		name = substr($0, RSTART + 1, RLENGTH - 2)
		if (name == "viewfold.h" || name == "libtcc.h" || name !~ "/") next
		if (name ~ /^\.|\/\./) { wrong("include by the path from src/ or the root: " name); next }
		split(name, target, "/")
		if (!((layer, target[1]) in may) && !((layer, name) in may))
			wrong(layer " may not include " name " (" layer ": " row[layer] ")")
	}
	END {
		for (name in declared) {
			n = split(declared[name], headers, " ")
			for (i = 1; i <= n && name in defined; i++)
				if (index(defined[name] " ", " " folder(headers[i]) " ") == 0) {
					print headers[i] ": " name "() is defined in" defined[name]
					failed = 1
				}
		}
		for (f in libtcc) { list = list " " f }
		if (split(list, words, " ") > 1) { print "one file only includes libtcc.h, not" list; failed = 1 }
		exit failed
	}'
