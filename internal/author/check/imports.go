package check

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

var importsCheck = Check{
	Name: "imports",
	Guards: "a chapter imports downwards and only what it names; an exercise only its own, and only mine/ a lower one; " +
		"what a first run compiles stays small",
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		builds := map[string]string{}
		for _, c := range t.Chapters() {
			builds[c] = t.buildsOn(c)
		}
		err := eachGo(t, func(file string, source []byte) error {
			lines := token.NewFileSet()
			parsed, err := parser.ParseFile(lines, file, source, parser.ImportsOnly)
			if err != nil {
				return nil // gofmt says so
			}
			for _, spec := range parsed.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				if what, mend := forbidden(file, imported, builds); what != "" {
					found = append(found, Finding{file, lines.Position(spec.Pos()).Line, what, mend})
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		small, err := t.smallPrograms(ctx)
		return append(found, small...), err
	},
}

// buildsOnLine is the line below a lesson's title that says what it imports.
var buildsOnLine = regexp.MustCompile(`(?m)^Builds on: (.*?)\. Reading:`)

func (t *Tree) buildsOn(chapter string) string {
	lesson, err := t.Read("chapters/" + chapter + "/README.md")
	if err != nil {
		return ""
	}
	if m := buildsOnLine.FindSubmatch(lesson); m != nil {
		return string(m[1])
	}
	return ""
}

// forbidden gives what is wrong with one import of one file, or "".
func forbidden(file, imported string, builds map[string]string) (what, mend string) {
	inside, ok := strings.CutPrefix(imported, repo.Module+"/")
	if !ok {
		return "", ""
	}
	from, to := chapterOf(file), chapterOf(inside)
	switch {
	case strings.HasPrefix(inside, "solutions/"):
		return "imports a solution", "solutions stand alone: copy what you need"
	case to == "":
		return "", ""
	case strings.HasPrefix(file, bookserver+"/") && (inside == sharedServer || inside == sharedServer+"/storage"):
		return "", "" // that program is chapter 03's server, for the demos of others
	case from == "":
		return fmt.Sprintf("imports chapter %s from outside the chapters", to),
			"what everybody needs belongs into internal/; what a chapter teaches stays in the chapter"
	case isExercise(file) && to != from:
		return fmt.Sprintf("an exercise of %s imports chapter %s", from,
			to), "an exercise has everything in itself: copy what it needs"
	case to == from:
		return "", ""
	case forTests(file) && (inside == sharedServer || inside == sharedServer+"/storage" || isSuite(inside)):
		return "", "" // what a test stands on is no lesson's business
	case to > from:
		return fmt.Sprintf("chapter %s imports the later chapter %s", from,
			to), "chapters import downwards: move the code, or use upstream's"
	case isMine(file) && isExercisePackage(inside):
		return "", "" // what the reader wrote earlier is at work in later chapters
	case len(strings.Split(inside, "/")) < 3 || strings.Contains(inside, "/exercises/") ||
		strings.Contains(inside, "/internal/"):
		return fmt.Sprintf("imports %s, which is no mechanism",
			inside), "import the chapter's mechanism package, or copy"
	case !strings.Contains(builds[from], to[:2]):
		return fmt.Sprintf("imports chapter %s, and the lesson's header does not say so", to),
			fmt.Sprintf("write `Builds on: %s %s.` below the title of chapters/%s/README.md", to[:2],
				path.Base(inside), from)
	}
	return "", ""
}

// sharedServer is the book's own API server: what a chapter's tests need of one in memory, they take from there, with
// the storage that it is made of.
const sharedServer = "chapters/03-watch-server/apiserver"

// bookserver is the program of that server, on which a first run plays.
const bookserver = "scripts/bookserver"

// forTests says whether a file is a test's, or in a package that only tests stand on.
func forTests(file string) bool {
	return isTestFile(file) || isSuite(path.Dir(file))
}

func isTestFile(file string) bool { return strings.HasSuffix(file, "_test.go") }

// isSuite says whether a package is a mechanism's suite, chapters/04-store/store/storetest, or below one.
func isSuite(inside string) bool {
	parts := strings.Split(inside, "/")
	return len(parts) >= 4 && parts[0] == "chapters" && parts[3] == parts[2]+"test"
}

func isExercise(file string) bool {
	return strings.HasPrefix(file, "solutions/") || strings.Contains(file, "/exercises/")
}

// isMine says whether a file is of a chapter's mine/: chapters/07-shared-informer/mine/main.go.
func isMine(file string) bool {
	parts := strings.Split(file, "/")
	return len(parts) > 3 && parts[0] == "chapters" && parts[2] == "mine"
}

// isExercisePackage says whether a package is what a reader writes: chapters/04-store/exercises/1-index.
func isExercisePackage(inside string) bool {
	parts := strings.Split(inside, "/")
	return len(parts) == 4 && parts[0] == "chapters" && parts[2] == "exercises"
}

// small programs speak early: `go run` is silent while it compiles.
var small = map[string]string{
	"chapters/01-raw-watch": "chapter 01 is what a reader runs first, and `go run` is silent while it compiles",
	"internal/lab":          "every demo links it, and `go run` is silent while it compiles",
	bookserver:              "a first run compiles it before its first event, and client-go would double the time",
}

// mayLink says whether a small program may link a package: of the standard library, of YAML, and the book's own server
// what an API server needs.
func mayLink(dir, dep string) bool {
	switch {
	case dep == "" || strings.HasPrefix(dep, repo.Module+"/"), strings.HasPrefix(dep, "sigs.k8s.io/yaml"),
		strings.HasPrefix(dep, "go.yaml.in/yaml/"):
		return true
	}
	return dir == bookserver && !strings.HasPrefix(dep, "k8s.io/client-go/") &&
		!strings.HasPrefix(dep, "k8s.io/apiserver/")
}

// smallPrograms checks that these packages link no more than they may.
func (t *Tree) smallPrograms(ctx context.Context) ([]Finding, error) {
	var found []Finding
	for dir, why := range small {
		if !t.IsDir(dir) {
			continue
		}
		out, err := command(ctx, t, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+dir)
		if err != nil {
			return nil, fmt.Errorf("go list ./%s: %s", dir, out)
		}
		for dep := range strings.Lines(out) {
			if dep = strings.TrimSpace(dep); !mayLink(dir, dep) {
				found = append(found, Finding{dir, 0, "links " + dep, "leave it out: " + why})
			}
		}
	}
	return found, nil
}
