package grader_test

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"

// rewriters change the given words.
var rewriters = []person{
	{name: "makes all kinds one", in: "98.3",
		source: wordsHead + "const (\n\tEmpty Kind = \"\"\n\tFull Kind = \"\"\n)\n\nconst (\n\tOne = iota + 1\n" +
			"\tTwo\n)\n\n" + wordsErrs + wordsWrong,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{`as in the stub: const Empty Kind = "empty"`, `exercise.go:14 says: const Empty Kind = ""`}},
	{name: "makes an error nil", in: "98.3", source: wordsHead + wordsKinds +
		"var ErrEmpty, ErrFull error\n\n" + wordsWrong,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{`as in the stub: var ErrEmpty = errors.New("empty")`}},
	{name: "makes two errors one", in: "98.3",
		source: wordsHead + wordsKinds + "var ErrEmpty = errors.New(\"empty\")\nvar ErrFull = ErrEmpty\n\n" +
			wordsWrong,
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"says: var ErrFull = ErrEmpty"}},
	{name: "makes a package of its own", in: "98.3",
		source: "package words\n\nimport \"golang.org/x/tools/txtar\"\n\ntype Archive = txtar.Archive\n\n" +
			"type Kind string\n\ntype fake struct{}\n\nfunc (fake) New(string) error { return nil }\n\n" +
			"var errors fake\n\n" + wordsKinds + wordsErrs + wordsWrong,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{"another meaning to errors there: a declaration of its own"}},
	{name: "makes iota of its own", in: "98.3", source: wordsHead + wordsKinds + wordsErrs + wordsRight +
		"\nconst iota = 0\n",
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"another meaning to iota there"}},
	{name: "moves the steps", in: "98.3", source: wordsHead +
		"const (\n\tEmpty Kind = \"empty\"\n\tFull Kind = \"full\"\n)\n\nconst (\n\tOne = iota + 1\n\t_\n\tTwo\n)\n\n" +
		wordsErrs + wordsRight,
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"as in the stub: const Two"}},
	{name: "has one word less", in: "98.3", source: wordsHead + wordsKinds +
		"var ErrEmpty = errors.New(\"empty\")\n\n" + wordsWrong,
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"exercise.go has no var ErrFull"}},
	{name: "assigns to an error", in: "98.3", source: wordsHead + wordsKinds + wordsErrs + wordsWrong +
		"\nfunc init() { _, (ErrFull) = 1, ErrEmpty }\n",
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{"ErrFull keeps the value that it has", "assigns to ErrFull"}},
	{name: "ranges into an error", in: "98.3", source: wordsHead + wordsKinds + wordsErrs + wordsWrong +
		"\nfunc init() {\n\tfor _, ErrFull = range []error{ErrEmpty} {\n\t}\n}\n",
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"assigns to ErrFull"}},
	{name: "points at an error", in: "98.3", source: wordsHead + wordsKinds + wordsErrs + wordsWrong +
		"\nvar p = &ErrFull\n\nfunc init() { *p = ErrEmpty }\n",
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"takes the address of ErrFull"}},
	{name: "assigns to an error of Go's", source: "package sum\n\nimport \"io\"\n\nfunc init() { io.EOF = nil }\n\n" +
		sumRight,
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"exercise.go:5 assigns to io.EOF"}},
	{name: "points at an error of Go's", source: "package sum\n\nimport c \"context\"\n\nvar p = &(c.Canceled)\n\n" +
		sumRight,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{"exercise.go:5 takes the address of c.Canceled"}},
	{name: "changes the client of all", source: "package sum\n\nimport \"net/http\"\n\n" +
		"func init() { http.DefaultTransport.(*http.Transport).Proxy = nil }\n\n" + sumRight,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{"exercise.go:5 assigns to http.DefaultTransport"}},
	{name: "assigns to fields of variables that look like packages",
		source: "package sum\n\nimport \"net/url\"\n\nfunc init() {\n\turl, _ := url.Parse(\"x\")\n" +
			"\turl.RawQuery = \"y\"\n\tp := &url.Path\n\t*p = \"z\"\n}\n\n" + sumRight, status: grader.Passed},
	{name: "lays the words out anew, and adds some", in: "98.3",
		source: wordsHead + "const Full Kind = \"full\" // x\n\nconst Empty Kind = \"empty\"\n\nconst (\n" +
			"\tOne = iota + 1\n\tTwo\n\tThree\n)\n\nvar ErrEmpty = errors.New( \"empty\")\n" +
			"var ErrFull = errors.New(\"full\")\nvar errMine = errors.New(\"mine\")\n\n" + wordsRight,
		status: grader.Passed},
	{name: "assigns to fields of locals that are named like imports and given words", in: "98.3",
		source: wordsHead + wordsKinds + wordsErrs + wordsRight + `
type list struct{ DefaultCap, ErrLast int }

func init() {
	errors := list{}
	errors.DefaultCap = 3
	ErrFull := &errors.ErrLast
	*ErrFull = 4
	func(txtar list, ErrEmpty int) { txtar.ErrLast, ErrEmpty = 1, 2 }(errors, 5)
}
`, status: grader.Passed},
	{name: "assigns before a local of that name", in: "98.3",
		source: wordsHead + wordsKinds + wordsErrs + wordsWrong +
			"\nfunc init() {\n\tErrFull = ErrEmpty\n\tvar ErrFull error\n\t_ = ErrFull\n}\n",
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"exercise.go:33 assigns to ErrFull"}},
	{name: "assigns in the value of a local of that name", in: "98.3",
		source: wordsHead + wordsKinds + wordsErrs + wordsWrong +
			"\nfunc init() {\n\tErrFull := func() error { ErrFull = ErrEmpty; return ErrFull }()\n\t_ = ErrFull\n}\n",
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"assigns to ErrFull"}},
	{name: "assigns beside a local of that name", in: "98.3",
		source: wordsHead + wordsKinds + wordsErrs + wordsWrong +
			"\nfunc init() {\n\tif ErrFull := 1; ErrFull > 0 {\n\t\tErrFull = 2\n\t}\n\tErrFull = ErrEmpty\n}\n",
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"exercise.go:36 assigns to ErrFull"}},
	{name: "writes the words in another way", in: "98.3",
		source: "package words\n\nimport (\n\terrs \"errors\"\n\n\t\"golang.org/x/tools/txtar\"\n)\n\n" +
			"type Archive = txtar.Archive\n\ntype Kind string\n\nconst Empty, Full Kind = `empty`, \"fu\\x6cl\"\n\n" +
			"const (\n\tOne = iota + 0x1\n\tTwo\n)\n\nvar ErrEmpty error = (errs.New(`empty`))\n" +
			"var ErrFull = errs.New(\"full\")\n\n" + wordsRight, status: grader.Passed},
	{name: "converts the words", in: "98.3",
		source: wordsHead + "const Empty = Kind(\"empty\")\n\nconst Full = Kind(`full`)\n\nconst (\n" +
			"\tOne = iota + 1\n\tTwo\n)\n\n" + wordsErrs + wordsRight,
		status: grader.Passed},
	{name: "has an error type of its own", in: "98.3",
		source: wordsHead + "type error = any\n\n" + wordsKinds +
			"var ErrEmpty error = errors.New(\"empty\")\nvar ErrFull = errors.New(\"full\")\n\n" + wordsWrong,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{`as in the stub: var ErrEmpty = errors.New("empty")`,
			`says: var ErrEmpty error = errors.New("empty")`}},
	{name: "takes another package for errors", in: "98.3",
		source: "package words\n\nimport (\n\terrors \"log\"\n\n\t\"golang.org/x/tools/txtar\"\n)\n\n" +
			"type Archive = txtar.Archive\n\ntype Kind string\n\n" +
			wordsKinds + wordsErrs + wordsWrong,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{"another meaning to errors there: package log"}},
	{name: "makes an untyped word", in: "98.3",
		source: wordsHead + "const Empty = \"empty\"\n\nconst Full Kind = \"full\"\n\nconst (\n\tOne = iota + 1\n" +
			"\tTwo\n)\n\n" + wordsErrs + wordsRight,
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{`as in the stub: const Empty Kind = "empty"`, `says: const Empty = "empty"`}},
}
