// Command new-chapter writes the files that a new chapter, or a new exercise of one, begins with.
//
//	go run ./scripts/new-chapter 20-webhooks                       a chapter: its rooms, a diagram, one exercise
//	go run ./scripts/new-chapter -exercise 1-review 20-webhooks    the same, and the exercise has its name at once
//	go run ./scripts/new-chapter -mine=false 20-webhooks           without mine/, while no exercise is a piece that runs
//	go run ./scripts/new-chapter -exercise 2-index 04-store        one exercise more
//
// What it writes compiles and runs, once the exercise's stub is written. What a person has to write is marked, and
// `make check` refuses a chapter as long as a mark is left. It overwrites nothing.
package main

import (
	"bytes"
	"cmp"
	"embed"
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/check"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

//go:embed templates
var templates embed.FS

var (
	chapterForm  = regexp.MustCompile(`^(\d\d)-([a-z][a-z0-9-]*)$`)
	exerciseForm = regexp.MustCompile(`^(\d)-([a-z][a-z0-9-]*)$`)
)

// A page is one file to write.
type page struct{ template, target string }

var chapterFiles = []page{
	{"lesson.md", "chapters/{{.Chapter}}/README.md"},
	{"upstream.md", "chapters/{{.Chapter}}/UPSTREAM.md"},
	{"main.go.txt", "chapters/{{.Chapter}}/main.go"},
	{"step1.go.txt", "chapters/{{.Chapter}}/step1_count.go"},
	{"faults.go.txt", "chapters/{{.Chapter}}/faults.go"},
	{"setup.go.txt", "chapters/{{.Chapter}}/setup.go"},
	{"setup_test.go.txt", "chapters/{{.Chapter}}/setup_test.go"},
	{"demo_test.go.txt", "chapters/{{.Chapter}}/demo_test.go"},
	{"claims_doc.go.txt", "chapters/{{.Chapter}}/claims/doc.go"},
	{"claims_setup_test.go.txt", "chapters/{{.Chapter}}/claims/setup_test.go"},
	{"claims_test.go.txt", "chapters/{{.Chapter}}/claims/list_test.go"},
	{"mechanism_doc.go.txt", "chapters/{{.Chapter}}/{{.Mechanism}}/doc.go"},
	{"mechanism.go.txt", "chapters/{{.Chapter}}/{{.Mechanism}}/sum.go"},
	{"mechanism_test.go.txt", "chapters/{{.Chapter}}/{{.Mechanism}}/sum_test.go"},
	{"suite.go.txt", "chapters/{{.Chapter}}/{{.Mechanism}}/{{.Mechanism}}test/suite.go"},
	{"diagram.d2", "diagrams/{{.Chapter}}.d2"},
}

var mineFiles = []page{
	{"mine.go.txt", "chapters/{{.Chapter}}/mine/main.go"},
	{"mine_test.go.txt", "chapters/{{.Chapter}}/mine/mine_test.go"},
}

var exerciseFiles = []page{
	{"reference.go.txt", "solutions/{{.Chapter}}/{{.Exercise}}/exercise.go"},
	{"wrong.go.txt", "solutions/{{.Chapter}}/{{.Exercise}}/wrong/largest-first.go"},
	{"breaks.go.txt", "solutions/{{.Chapter}}/{{.Exercise}}/wrong/never-empty.go"},
	{"alt.go.txt", "solutions/{{.Chapter}}/{{.Exercise}}/alt/backwards/exercise.go"},
	{"partial1.go.txt", "solutions/{{.Chapter}}/{{.Exercise}}/partial/stage1.go"},
	{"stage1_test.go.txt", "chapters/{{.Chapter}}/exercises/{{.Exercise}}/stage1_test.go"},
	{"stage2_test.go.txt", "chapters/{{.Chapter}}/exercises/{{.Exercise}}/stage2_test.go"},
	{"hints.md", "chapters/{{.Chapter}}/exercises/{{.Exercise}}/HINTS.md"},
}

// values fill the templates.
type values struct {
	Chapter, Number, Name        string // 20-webhooks, 20, webhooks
	Mechanism                    string // the name as a package's
	Exercise, ExerciseN, Package string // 1-index, 1, index
	Module, Mark                 string
}

func main() {
	exercise := flag.String("exercise", "", "add this exercise to a chapter, or make a chapter with it: N-name")
	mine := flag.Bool("mine", true, "with a main that runs the reader's exercises")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"usage: go run ./scripts/new-chapter [-mine=false] [-exercise N-name] NN-name")
		flag.PrintDefaults()
	}
	flag.Parse()
	root, err := check.FindRoot()
	if err == nil {
		err = create(root, flag.Arg(0), *exercise, *mine)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// create writes a chapter with its first exercise, or one exercise. mine says whether the chapter runs the reader's
// own.
func create(root, chapter, exercise string, mine bool) error {
	m := chapterForm.FindStringSubmatch(chapter)
	if m == nil {
		return fmt.Errorf("%q is no name of a chapter: two digits and a name, as in make new-chapter NAME=20-webhooks",
			chapter)
	}
	v := values{Chapter: chapter, Number: m[1], Name: m[2], Mechanism: packageName(m[2]), Module: repo.Module,
		Mark: check.Scaffold}
	_, err := os.Stat(filepath.Join(root, "chapters", chapter))
	exists := err == nil
	files := exerciseFiles
	switch {
	case exercise == "" && exists:
		return fmt.Errorf("chapters/%s is there already, and a new chapter has a number of its own\n"+
			"One exercise more of it: make new-chapter NAME=%[1]s EX=4-index", chapter)
	case !exists && (exercise == "" || strings.HasPrefix(exercise, "1-")):
		exercise, files = cmp.Or(exercise, "1-first"), slices.Concat(chapterFiles, exerciseFiles)
		if mine {
			files = append(files, mineFiles...)
		}
	case !exists:
		return fmt.Errorf("there is no chapters/%s: make the chapter first, with its exercise 1", chapter)
	}
	e := exerciseForm.FindStringSubmatch(exercise)
	if e == nil {
		return fmt.Errorf("%q is no name of an exercise: a digit and a name, as 2-index", exercise)
	}
	if taken := sameNumber(filepath.Join(root, "chapters"), m[1]); taken != "" && taken != chapter {
		return fmt.Errorf("chapter %s is there already, as %s: take another number", m[1], taken)
	}
	if taken := sameNumber(filepath.Join(root, "solutions", chapter), e[1]); taken != "" {
		return fmt.Errorf("chapters/%s is there already, and so is its exercise %s.%s, as %s: a new chapter, or one "+
			"exercise more, takes another number", chapter, m[1], e[1], taken)
	}
	v.Exercise, v.ExerciseN, v.Package = exercise, e[1], packageName(e[2])
	for _, f := range files {
		if err := write(root, f, v); err != nil {
			return err
		}
	}
	next(v, len(files) > len(exerciseFiles))
	return nil
}

// packageName is a folder's name as Go has it.
func packageName(name string) string { return strings.ReplaceAll(name, "-", "") }

// sameNumber returns the folder of dir that has this number in front.
func sameNumber(dir, number string) string {
	folders, _ := filepath.Glob(filepath.Join(dir, number+"-*"))
	if len(folders) == 0 {
		return ""
	}
	return filepath.Base(folders[0])
}

func write(root string, p page, v values) error {
	target, err := fill(p.target, p.target, v)
	if err != nil {
		return err
	}
	source, err := templates.ReadFile("templates/" + p.template)
	if err != nil {
		return err
	}
	content, err := fill(p.template, string(source), v)
	if err != nil {
		return err
	}
	if filepath.Ext(string(target)) == ".go" {
		if content, err = format.Source(content); err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	path := filepath.Join(root, filepath.FromSlash(string(target)))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("%s is there already: nothing is overwritten", target)
	}
	if _, err := f.Write(content); err != nil {
		f.Close()
		return err
	}
	fmt.Println("wrote", string(target))
	return f.Close()
}

func fill(name, text string, v values) ([]byte, error) {
	t, err := template.New(name).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, v)
	return b.Bytes(), err
}

// next says what to type next.
func next(v values, whole bool) {
	id := v.Number + "." + v.ExerciseN
	fmt.Println("\nNext:")
	say := func(command, what string) { fmt.Printf("  %-42s %s\n", "go run ./"+command, what) }
	say("scripts/reset -stubs "+id, "writes the exercise's stub from its reference solution")
	say("scripts/verify-exercises "+id, "proves the exercise")
	if whole {
		say("chapters/"+v.Chapter, "runs the demo")
		say("scripts/record "+v.Number, "writes its output into the lesson")
		say("scripts/check -fix demos diagrams", "renders the diagram, fills in the workshop's questions")
	}
	say("scripts/check -fix -quick", "fills in what is generated, and lists what is left to write")
	fmt.Println("CONTRIBUTING.md goes through all of it.")
}
