# filter.awk -- a public header as Doxygen wants to read it.
#
# The headers are written for a reader: plain comments, one above several declarations where they
# belong together, columns of "label  text", sections under a ruled title. From them come
#   the comment that opens the file    the page of the file, and the main page with -v main=1
#   a ruled title                      a group, with the comment right below it as its description
#   a comment above declarations       the documentation of each, up to the next blank line
#   a comment behind one               its documentation
#   columns of label and text          lists

function slug(title) { gsub(/[^A-Za-z0-9]+/, "_", title); return tolower(title) }

# One comment as Markdown. Labels begin at its left edge and names in the column of a label's text.
function markdown(text,    lines, n, i, line, out, in_list, in_names, words) {
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++) {
		line = lines[i]
		if (line == "") {
			out = out "\n"
			continue
		}
		if (match(line, /^[A-Za-z_]+  +/)) {
			words = substr(line, 1, RLENGTH)
			sub(/ +$/, "", words)
			line = substr(line, RLENGTH + 1)
			out = out (in_list ? "" : "\n") "- " (words ~ /^[A-Z]/ ? "**" words "**" : "`" words "`")
			in_list = 1
			in_names = 0
			if (line !~ /^[A-Z_][A-Z_, ]*[A-Z]  /) {
				out = out " " line "\n"
				continue
			}
			out = out "\n"
			line = "          " line
		}
		if (!in_list)
			out = out line "\n"
		else if (match(line, /^    +[A-Z_][A-Z_, ]*[A-Z]  +/)) {
			words = substr(line, 1, RLENGTH)
			gsub(/^ +| +$/, "", words)
			out = out "  - " words ": " substr(line, RLENGTH + 1) "\n"
			in_names = 1
		} else if (line ~ /^    /) {
			sub(/^ +/, in_names ? "    " : "  ", line)
			out = out line "\n"
		} else {
			in_list = 0
			out = out "\n" line "\n"
		}
	}
	gsub(/VF_ERR_[A-Z]+/, "#&", out)
	gsub(/\n/, "\n * ", out) # Doxygen takes one star from each line, be it emphasis
	return out
}

function open_file(text,    first, rest) {
	first = text
	sub(/\n.*/, "", first)
	rest = substr(text, length(first) + 1)
	sub(/^[^ ]+ -- /, "", first)
	sub(/SPDX[^\n]*\n/, "", rest)
	print "/** @file\n@brief " first "\n*/"
	if (main)
		print "/** @mainpage viewfold: " first "\n" markdown(rest) "*/"
}

function finish_comment() {
	gsub(/[ \n]+$/, "", comment)
	if (!opened) {
		opened = 1
		open_file(comment)
	} else if (title != "") {
		print "/** @defgroup " group " " title "\n" markdown(comment) "*/"
		title = ""
	} else {
		above = markdown(comment) (depth ? "" : "\n@ingroup " group "\n")
	}
}

function flush_title() {
	if (title != "")
		print "/** @defgroup " group " " title " */"
	title = ""
}

in_comment {
	line = $0
	in_comment = line !~ /\*\//
	sub(/ *\*\/.*/, "", line)
	sub(/^[ \t]*\* ?/, "", line)
	comment = comment "\n" line
	if (!in_comment)
		finish_comment()
	next
}

/^\/\* ---- / {
	title = $0
	gsub(/^\/\* -+ | -+ \*\/.*$/, "", title)
	group = slug(title)
	title = toupper(substr(title, 1, 1)) substr(title, 2)
	above = ""
	next
}

/^[ \t]*\/\*/ {
	comment = $0
	in_comment = comment !~ /\*\//
	sub(/^[ \t]*\/\* ?/, "", comment)
	sub(/ *\*\/.*/, "", comment)
	if (!in_comment)
		finish_comment()
	next
}

/^[ \t]*$/ {
	flush_title()
	above = ""
	print
	next
}

/^#[ \t]*(if|else|elif|endif|include)/ || !group {
	print
	next
}

{
	flush_title()
	line = $0
	own = sub(/\/\* /, "/**< ", line)
	if (own && !depth)
		sub(/ *\*\//, " @ingroup " group " */", line)
	if (!own && above != "" && starts && line !~ /^}/)
		print "/** " above "*/"
	print line
	sub(/[ \t]*\/\*.*/, "", line)
	starts = line ~ /[;{]$/ || line ~ /^#/
	if (line ~ /^}/ || line ~ /[{]$/) {
		depth = line ~ /[{]$/
		above = ""
	}
}

BEGIN { starts = 1 }
