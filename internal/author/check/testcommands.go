package check

import (
	"regexp"
	"slices"
	"strings"
)

var testName = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// testCommand gives what is wrong with the arguments of a `go test` of a folder, or of all below it: it passes without
// a word where no test has the name that -run asks for.
func (t *Tree) testCommand(dir string, below bool, words []string) (what, mend string) {
	at := slices.Index(words, "-run")
	if at < 0 || at+1 == len(words) || words[at+1] == "TestX" || words[at+1] == "QUOTED" {
		return "", ""
	}
	wanted, _, _ := strings.Cut(words[at+1], "/") // what follows are parts of a test
	named, err := regexp.Compile(wanted)
	if err != nil {
		return err.Error(), "mend the expression"
	}
	pattern := dir + "/*_test.go"
	if below {
		pattern = dir + "/**_test.go"
	}
	files, err := t.Match(pattern)
	if err != nil {
		return err.Error(), ""
	}
	for _, file := range files {
		source, err := t.Read(file)
		if err != nil {
			return err.Error(), ""
		}
		for _, m := range testName.FindAllSubmatch(source, -1) {
			if named.Match(m[1]) {
				return "", ""
			}
		}
	}
	return dir + " has no test " + wanted, "name the folder that has it: go test passes where there is none"
}
