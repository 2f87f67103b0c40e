package check

import "testing"

const smallModule = "-- go.mod --\nmodule example.com/small\n\ngo 1.26\n"

func TestGofmt(t *testing.T) {
	expect(t, gofmtCheck, "-- a.go --\npackage a\n\nvar x  = 1\n-- b.go --\npackage b\n-- c.go --\npackage\n",
		"a.go: is not gofmt'ed", "c.go: does not parse")
}

func TestVet(t *testing.T) {
	expect(t, vetCheck, smallModule+"-- a.go --\npackage a\n\nimport \"fmt\"\n\n"+
		"func F() { fmt.Printf(\"%d\", \"x\") }\n",
		"a.go:5: fmt.Printf format %d has arg \"x\"")
	expect(t, vetCheck, smallModule+"-- a.go --\npackage a\n")
}

func TestStaticcheck(t *testing.T) {
	if testing.Short() {
		t.Skip("builds staticcheck")
	}
	expect(t, staticcheckCheck, smallModule+"-- a.go --\npackage a\n\nfunc unused() {}\n",
		"a.go:3: func unused is unused (U1000)")
	expect(t, staticcheckCheck, smallModule+"-- a.go --\npackage a\n"+
		"-- chapters/01-a/exercises/1-x/exercise.go --\npackage x\n\nfunc unused() {}\n"+
		"-- solutions/01-a/1-x/wrong/y.go --\n//go:build wrong\n\npackage x\n\nfunc unused() {}\n")
}
