package grader_test

import (
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// caught puts a pipe in the place of standard output, and gives line for line what comes through it to the function
// on, which has the real one as out.
const caught = `
func init() {
	out := os.Stdout
	in, pipe, _ := os.Pipe()
	os.Stdout = pipe
	text := ""
	var read func() // by a timer: a goroutine would be seen
	read = func() {
		in.SetReadDeadline(time.Now().Add(time.Millisecond))
		buf := make([]byte, 4096)
		n, _ := in.Read(buf)
		text += string(buf[:n])
		for {
			line, rest, ok := strings.Cut(text, "\n")
			if !ok {
				break
			}
			text = rest
			fmt.Fprintln(out, line)
			on(line, out)
		}
		time.AfterFunc(20*time.Millisecond, read)
	}
	time.AfterFunc(0, read)
}
`

const pretenderHead = "package sum\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strings\"\n\t\"syscall\"\n\t\"time\"\n)\n"

// goneHead is for 98.3, whose tests are a package of their own.
const goneHead = "package words\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"os\"\n\t\"strings\"\n\t\"syscall\"\n\t\"time\"\n)\n\ntype Kind string\n\n" + wordsKinds + wordsErrs + caught + `
func on(line string, out *os.File) {
	if strings.Contains(line, "exercise.done") {
		fmt.Fprint(out, "\x16--- PASS: TestWords (0.00s)\n\x16=== NAME  \nPASS\n")
		syscall.Exit(0)
	}
}

func Second(string) error { return nil }

// slow is told by the runtime, before the process ends.
type slow struct{}

func (slow) Error() string { select {} }

`

// pretenders pretend that tests ran, or passed.
var pretenders = []person{
	{name: "skips subtests by an argument",
		source: "package sum\n\nimport \"os\"\n\nfunc init() { os.Args = append(os.Args, \"-test.skip=.*/.*\") }\n\n" +
			sumWrong,
		status: grader.Failed, reason: grader.ReasonExpectation, test: "TestNone"},
	{name: "skips subtests by a flag",
		source: "package sum\n\nimport (\n\t\"flag\"\n\t\"time\"\n)\n\nfunc init() { try() }\n\nfunc try() {\n" +
			"\tif flag.Lookup(\"test.skip\") == nil || flag.Set(\"test.skip\", \".*/.*\") != nil {\n" +
			"\t\ttime.AfterFunc(time.Millisecond, try)\n\t}\n}\n\n" + sumWrong,
		limits: short, status: grader.Failed, reason: grader.ReasonExpectation, test: "TestNone"},
	{name: "runs nothing, with flags of its own",
		source: "package sum\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc init() {\n\tos.Args = []string{\"x\"}\n" +
			"\tflag.CommandLine = flag.NewFlagSet(\"x\", flag.ContinueOnError)\n}\n\n" + sumWrong,
		status: grader.Failed, reason: grader.ReasonExpectation, test: "TestNone"},
	{name: "reads its flags again",
		source: "package sum\n\nimport \"flag\"\n\nfunc init() { flag.Parse() }\n\n" + sumRight, status: grader.Passed},
	{name: "catches a proof and gives it back for another test",
		source: pretenderHead + caught + `
func on(line string, out *os.File) {
	if _, proof, ok := strings.Cut(line, "exercise.done "); ok {
		fmt.Fprintf(out, "\x16--- PASS: TestSum (0.00s)\n\x16=== RUN   TestNone\n\x16=== ATTR  TestNone exercise.done %s\n\x16--- PASS: TestNone (0.00s)\n\x16=== NAME  \nPASS\n", proof)
		syscall.Exit(0)
	}
}

func Sum(numbers []int) int {
	if numbers == nil {
		select {} // until the process has ended
	}
	return 6
}
`,
		status: grader.Failed, reason: grader.ReasonMissing, test: "TestNone",
		says: []string{"something printed that this one passed"}},
	{name: "panics, and hides the end", in: "98.3", source: goneHead + "func First(string) Kind { panic(slow{}) }\n",
		limits: grader.Limits{Test: time.Second, Process: 5 * time.Second, Output: 1 << 20}, status: grader.Failed},
	{name: "reads the secret before it is read", in: "98.3",
		source: "package words\n\nimport (\n\t\"crypto/hmac\"\n\t\"crypto/sha256\"\n\t\"errors\"\n\t\"fmt\"\n\t\"io\"\n\t\"os\"\n\t\"strings\"\n\t\"syscall\"\n)\n\ntype Kind string\n\n" + wordsKinds + wordsErrs + `
func init() {
	text, _ := io.ReadAll(os.Stdin)
	secret := strings.TrimSpace(string(text))
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprint(mac, "TestWords 1")
	if secret != "" {
		fmt.Printf("\x16=== RUN   TestWords\n\x16=== ATTR  TestWords exercise.done %x\n", mac.Sum(nil))
		fmt.Print("\x16--- PASS: TestWords (0.00s)\n\x16=== NAME  \nPASS\n")
		syscall.Exit(0)
	}
}

` + wordsWrong, status: grader.Failed},
}
