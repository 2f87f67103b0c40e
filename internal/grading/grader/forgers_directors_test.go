package grader_test

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"

// directors speak to the compiler.
var directors = []person{
	{name: "hides a race", source: "package sum\n\n//go:norace\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go:3 has the directive //go:norace"}},
	{name: "hides it behind code", source: "package sum\n\nvar x int //go:norace\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 has the directive"}},
	{name: "hides it behind a carriage return", source: "package sum\r\n\r\n//go:norace\r\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go:3 has the directive //go:norace"}},
	{name: "names a line", source: "package sum\n\n//line exercise_test.go:12\n" + sumWrong,
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 has the directive //line"}},
	{name: "names a line in the middle of one", source: "package sum\n\nvar x = /*line other.go:7:3*/ y\n\n" + sumWrong,
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go:3 has the directive /*line other.go:7:3*/"}},
	{name: "names a line where nothing parses", source: "package sum\n\n//line other.go:100\nfunc (\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 has the directive //line"}},
	{name: "has an old build constraint", source: "// +build ignore\n\npackage sum\n\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go:1 has a build constraint: // +build ignore"}},
	{name: "speaks of directives", source: "// About //go:norace, +build and //line x.go:1.\npackage sum\n\n" +
		"//go:generate true\n\n//line up\nconst text = `\n//go:norace\n//line x.go:1\n`\n\n// go:norace\n" + sumRight,
		status: grader.Passed},
	{name: "embeds the hints", source: "package sum\n\nimport _ \"embed\"\n\n//go:embed exercise_test.go\n" +
		"var test string\n\n" + sumRight, status: grader.Passed},
	{name: "embeds the solution", source: "package sum\n\nimport _ \"embed\"\n\n" +
		"//go:embed ../../../../solutions/98-fixture/1-sum/exercise.go\nvar s string\n\n" + sumWrong,
		status: grader.Failed, reason: grader.ReasonCompile,
		says: []string{"exercise.go:5: pattern ../../", "invalid pattern syntax"}},
}
