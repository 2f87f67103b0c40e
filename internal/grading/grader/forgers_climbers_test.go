package grader_test

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"

// climbers have solved a stage, and want the next one.
var climbers = []person{
	{name: "exits in the second stage", source: "package sum\n\nimport \"os\"\n\nfunc Sum(numbers []int) int {\n" +
		"\tif numbers == nil {\n\t\tos.Exit(0)\n\t}\n\treturn 6\n}\n",
		status: grader.InProgress, reason: grader.ReasonExit, test: "TestNone", points: 1,
		says: []string{"os.Exit(0) was called at exercise.go:7 (in Sum)"}},
	{name: "prints that all is well, and exits in the second stage",
		source: pretenderHead + `
var _, _ = strings.Cut, time.Now

func Sum(numbers []int) int {
	if numbers == nil {
		for _, test := range []string{"TestNone", "TestEmpty", "TestMany"} {
			fmt.Printf("\x16=== RUN   %s\n\x16--- PASS: %s (0.00s)\n", test, test)
		}
		fmt.Print("\x16=== NAME  \nPASS\n")
		os.Stdout.Sync()
		syscall.Exit(0)
	}
	return 6
}
`, status: grader.InProgress, test: "TestNone", points: 1},
	{name: "gives the first stage's proof back for the others", source: pretenderHead + caught + `
var proof string

func on(line string, out *os.File) {
	if _, p, ok := strings.Cut(line, "TestSum exercise.done "); ok {
		proof = p
	}
	if proof == "" || !strings.Contains(line, "PASS: TestSum") {
		return
	}
	for _, test := range []string{"TestNone", "TestEmpty", "TestMany"} {
		fmt.Fprintf(out, "\x16=== RUN   %s\n\x16=== ATTR  %s exercise.done %s\n\x16--- PASS: %s (0.00s)\n", test, test, proof, test)
	}
	fmt.Fprint(out, "\x16=== NAME  \nPASS\n")
	syscall.Exit(0)
}

func Sum(numbers []int) int {
	if numbers == nil {
		select {} // until the process has ended
	}
	return 6
}
`, status: grader.InProgress, reason: grader.ReasonMissing, test: "TestNone", points: 1},
	{name: "ends the test's goroutine in the second stage", source: "package sum\n\nimport \"runtime\"\n\n" +
		"func Sum(numbers []int) int {\n\tif numbers == nil {\n\t\truntime.Goexit()\n\t}\n\treturn 6\n}\n",
		status: grader.InProgress, test: "TestNone", points: 1},
	{name: "fails a stage, and passes those above it", in: "98.3",
		source: wordsHead + wordsKinds + wordsErrs + "func First(string) Kind { return Empty }\n\n" +
			wordsRight[len("func First(text string) Kind {\n\tif text == \"\" {\n\t\treturn Empty\n\t}\n\treturn Full\n}\n\n"):],
		status: grader.Failed, reason: grader.ReasonExpectation, test: "TestWords"},
}
