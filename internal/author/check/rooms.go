package check

import (
	"context"
	"fmt"
	"go/build"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var roomsCheck = Check{
	Name:   "rooms",
	Guards: "each chapter has the same rooms under the same names, so that a diff of two chapters means something",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		for _, name := range t.Chapters() {
			c, err := t.chapter(name)
			if err != nil {
				return nil, err
			}
			code, err := t.demoCode(c)
			if err != nil {
				return nil, err
			}
			found = slices.Concat(found, c.missing(), c.strange(), c.screen(), c.steps(), c.packages(t), c.exercises(),
				code)
		}
		return found, nil
	},
}

// chapter is one chapter's folder.
type chapter struct {
	name  string
	dir   string   // chapters/NAME
	files []string // relative to dir
}

func (t *Tree) chapter(name string) (*chapter, error) {
	c := &chapter{name: name, dir: "chapters/" + name}
	files, err := t.Match(c.dir + "/**")
	for _, f := range files {
		c.files = append(c.files, strings.TrimPrefix(f, c.dir+"/"))
	}
	return c, err
}

// has says whether the chapter has a file whose name begins so: a file, a folder's, a step.
func (c *chapter) has(prefix string) bool {
	return slices.ContainsFunc(c.files, func(f string) bool { return strings.HasPrefix(f, prefix) })
}

func (c *chapter) finding(file, what, mend string) Finding {
	return Finding{strings.TrimSuffix(c.dir+"/"+file, "/"), 0, what, mend}
}

// fromTemplate is how a missing room is made.
const fromTemplate = "scripts/new-chapter/templates has one to begin with"

// missing finds rooms that are not there.
func (c *chapter) missing() []Finding {
	var found []Finding
	for _, room := range []string{
		"main.go", "setup_test.go", "demo_test.go", "claims/doc.go", "claims/setup_test.go", "exercises/",
		"UPSTREAM.md", "mine/main.go",
	} {
		if !c.has(room) {
			found = append(found, c.finding(room, "the chapter has none", fromTemplate))
		}
	}
	if !c.has("step1_") {
		found = append(found, c.finding("", "the chapter has no step1_NAME.go",
			"one step of the demo a file, numbered as they are played"))
	}
	return found
}

// rooms are the names that a file at a chapter's root may have.
var rooms = regexp.MustCompile(`^(?:README\.md|UPSTREAM\.md|` +
	`(?:main|setup|faults|interactive|step\d+_[a-z0-9]+(?:_[a-z0-9]+)*)\.go|` +
	`(?:setup|demo)_test\.go)$`)

// inClaims are the names of the files of claims/: tests, and what they say of themselves.
var inClaims = regexp.MustCompile(`^(?:doc\.go|[a-z0-9]+(?:_[a-z0-9]+)*_test\.go|testdata/.*)$`)

// strange finds files at the root, or in claims/, that are no room.
func (c *chapter) strange() []Finding {
	var found []Finding
	for _, f := range c.files {
		if !strings.Contains(f, "/") && !rooms.MatchString(f) {
			found = append(found, c.finding(f, "is no room of a chapter",
				"the rooms are README.md, UPSTREAM.md, main.go, stepN_NAME.go, "+
					"faults.go, interactive.go, setup.go (what these share), setup_test.go, demo_test.go; "+
					"claims/TOPIC_test.go and claims/transplant_TOPIC_test.go; a mechanism has a folder"))
		}
		if in, ok := strings.CutPrefix(f, "claims/"); ok && !inClaims.MatchString(in) {
			found = append(found, c.finding(f, "is no test of claims",
				"claims/ has tests and a doc.go; what the demo and they stand on is in scenario/"))
		}
		if path.Base(f) == "main_test.go" {
			found = append(found, c.finding(f, "TestMain has another place", "call it setup_test.go, as everywhere"))
		}
	}
	return found
}

// onAScreen is how many files and folders of a chapter a reader sees at once.
const onAScreen = 26

// screen finds a root that is more than a screen.
func (c *chapter) screen() []Finding {
	entries := map[string]bool{}
	for _, f := range c.files {
		name, _, _ := strings.Cut(f, "/")
		entries[name] = true
	}
	if len(entries) <= onAScreen {
		return nil
	}
	return []Finding{c.finding("", fmt.Sprintf("the chapter's root has %d files and folders, and a screen has %d",
		len(entries), onAScreen), "a reader plays what is there: the rest has a folder, and two steps may be one")}
}

var stepFile = regexp.MustCompile(`^step(\d+)_(\w+)\.go$`)

// steps finds steps whose numbers have a gap, and names that Go reads as a build constraint.
func (c *chapter) steps() []Finding {
	var found []Finding
	byNumber := map[int]string{}
	highest := 0
	for _, f := range c.files {
		m := stepFile.FindStringSubmatch(f)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if other := byNumber[n]; other != "" {
			found = append(found, c.finding(f, fmt.Sprintf("step %d is %s already", n, other),
				"number the steps as they are played"))
		}
		byNumber[n], highest = f, max(highest, n)
		if constrained(f) {
			found = append(found, c.finding(f,
				"the name's last word is a platform, and Go would leave the file out elsewhere", "use another word"))
		}
	}
	for n := 1; n < highest; n++ {
		if byNumber[n] == "" {
			found = append(found, c.finding("", fmt.Sprintf("there is a step %d and no step %d", highest, n),
				"number the steps as they are played"))
		}
	}
	return found
}

// constrained says whether Go reads a file's name as one for some platform only: whether it would be left out on one
// that nobody has.
func constrained(name string) bool {
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "nowhere", "nothing"
	nowhere.OpenFile = openEmpty
	match, err := nowhere.MatchFile(".", name)
	return err == nil && !match
}

// packages finds folders that are neither a room nor a package with an order of reading.
func (c *chapter) packages(t *Tree) []Finding {
	var found []Finding
	seen := map[string]bool{}
	for _, f := range c.files {
		name, _, inFolder := strings.Cut(f, "/")
		if !inFolder || seen[name] || slices.Contains([]string{"exercises", "mine", "claims"}, name) {
			continue
		}
		seen[name] = true
		doc, err := t.Read(c.dir + "/" + name + "/doc.go")
		if err != nil {
			found = append(found, c.finding(name, "is a folder without a doc.go",
				"a mechanism is a package whose doc.go says in which order to read it"))
		} else if !strings.Contains(string(doc), "Reading order") {
			found = append(found, c.finding(name+"/doc.go", "says no order of reading",
				"write `// Reading order: a.go, b.go; then c.go.`"))
		}
	}
	return found
}

// inExercise are the files that an exercise has. Those that are true are always there.
var inExercise = map[string]bool{"exercise.go": true, "HINTS.md": true, "scene_test.go": false, "forbidden.txt": false}

// gradedFile is a file of graded tests: of a stage, or of an exercise that is graded as a whole.
var gradedFile = regexp.MustCompile(`^(?:exercise|stage[1-9])_test\.go$`)

// exercises finds what is missing in an exercise, and what is too much.
func (c *chapter) exercises() []Finding {
	var found []Finding
	has := map[string][]string{}
	for _, f := range c.files {
		in, ok := strings.CutPrefix(f, "exercises/")
		if !ok {
			continue
		}
		exercise, file, inFolder := strings.Cut(in, "/")
		if !inFolder || !exerciseFolder.MatchString(exercise) {
			found = append(found, c.finding(f, "is in no exercise", "an exercise is a folder exercises/N-slug"))
			continue
		}
		has[exercise] = append(has[exercise], file)
		_, known := inExercise[file]
		if !known && !gradedFile.MatchString(file) && !strings.HasPrefix(file, "testdata/") {
			found = append(found, c.finding(f, "is no file of an exercise",
				"an exercise has exercise.go, stage1_test.go, stage2_test.go ..., HINTS.md, and scene_test.go for what "+
					"its tests stand on"))
		}
	}
	for exercise, files := range has {
		found = append(found, c.missingIn(exercise, files)...)
	}
	return found
}

// missingIn finds what an exercise has not.
func (c *chapter) missingIn(exercise string, files []string) (found []Finding) {
	for file, always := range inExercise {
		if always && !slices.Contains(files, file) {
			mend := fromTemplate
			if number, _, ok := strings.Cut(exercise, "-"); ok && file == "exercise.go" {
				mend = "go run ./scripts/reset -stubs " + c.name[:2] + "." + number
			}
			found = append(found, c.finding("exercises/"+exercise+"/"+file, "the exercise has none", mend))
		}
	}
	if !slices.ContainsFunc(files, gradedFile.MatchString) {
		found = append(found, c.finding("exercises/"+exercise+"/stage1_test.go", "the exercise has none", fromTemplate))
	}
	return found
}

var exerciseFolder = regexp.MustCompile(`^\d-[a-z0-9-]+$`)
