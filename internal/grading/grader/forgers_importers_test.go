package grader_test

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"

// importers import the answer.
var importers = []person{
	{name: "imports the reference",
		source: "package sum\n\nimport s " +
			"\"github.com/controllers-from-scratch/controllers-from-scratch/solutions/98-fixture/1-sum\"\n\n" +
			"var Sum = s.Sum\n",
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go:3 imports github.com", "only what the stub imports"}},
	{name: "imports the module of the course",
		source: "package sum\n\nimport _ " +
			"\"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise\"\n\n" + sumWrong,
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 imports"}},
	{name: "imports a neighbour", source: "package sum\n\nimport _ \"../2-box\"\n\n" + sumWrong,
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 imports ../2-box"}},
	{name: "imports what is internal to Go", source: "package sum\n\nimport _ \"internal/race\"\n\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 imports internal/race"}},
	{name: "imports what Go vendors", source: "package sum\n\nimport _ \"vendor/golang.org/x/sys/cpu\"\n\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 imports vendor/"}},
	{name: "imports a part of testing", source: "package sum\n\nimport _ \"testing/synctest\"\n\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"imports testing/synctest", "leaves the tests alone"}},
	{name: "imports no package of Go's", source: "package sum\n\nimport \"sort/quick\"\n\nvar _ = quick.Sort\n\n" +
		sumRight,
		status: grader.Failed, reason: grader.ReasonCompile, says: []string{"exercise.go:3", "sort/quick"}},
	{name: "imports what the stub imports", in: "98.3", source: wordsHead + wordsKinds + wordsErrs + wordsRight,
		status: grader.Passed},
	{name: "uses a forbidden name", in: "98.3",
		source: wordsHead + wordsKinds + wordsErrs + wordsRight + "\nvar _ = txtar.Parse\n",
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"without txtar.Parse", "exercise.go:42 uses Parse"}},
	{name: "uses it under another name of the package", in: "98.3",
		source: "package words\n\nimport x \"golang.org/x/tools/txtar\"\nimport \"errors\"\n\n" +
			"type Archive = x.Archive\ntype Kind string\n" + wordsKinds + wordsErrs + wordsRight +
			"\nvar read = (x.Parse)\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"without txtar.Parse"}},
	{name: "uses it without a name of the package", in: "98.3",
		source: "package words\n\nimport . \"golang.org/x/tools/txtar\"\nimport \"errors\"\n\nvar read = Parse\n" +
			"type Kind string\n" + wordsKinds + wordsErrs + wordsRight,
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go:3 has a dot import of golang.org/x/tools/txtar"}},
}
