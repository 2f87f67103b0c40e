package grader

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Course is a tree of chapters with exercises, and the solutions beside them.
type Course struct {
	// Root is the root of the Go module: builds run there.
	Root string
	// Dir holds chapters/ and solutions/. It is Root, but for tests, whose courses lie elsewhere and are laid over
	// the module.
	Dir string
}

// An Exercise is one graded package.
type Exercise struct {
	ID      string // "01.2"
	Chapter string // "01-raw-watch"
	Slug    string // "2-follow"
	Title   string // from HINTS.md
	Stars   int    // points for passing, from HINTS.md

	course  Course
	handout *handout // read before the run, or nil
}

// Dir is the exercise's folder.
func (e Exercise) Dir() string { return filepath.Join(e.course.Dir, e.rel()) }

// SolutionDir is the folder of its reference solution.
func (e Exercise) SolutionDir() string {
	return filepath.Join(e.course.Dir, "solutions", e.Chapter, e.Slug)
}

// CourseDir is the folder that the course lies in.
func (e Exercise) CourseDir() string { return e.course.Dir }

// File is exercise.go as a learner names it, from the root of the course.
func (e Exercise) File() string { return filepath.ToSlash(filepath.Join(e.rel(), "exercise.go")) }

func (e Exercise) rel() string { return filepath.Join("chapters", e.Chapter, "exercises", e.Slug) }

// Reference reads the reference solution.
func (e Exercise) Reference() ([]byte, error) {
	return os.ReadFile(filepath.Join(e.SolutionDir(), "exercise.go"))
}

var (
	chapterName  = regexp.MustCompile(`^(\d\d)-[a-z0-9-]+$`)
	exerciseName = regexp.MustCompile(`^(\d)-[a-z0-9-]+$`)
	selectorForm = regexp.MustCompile(`^(\d{1,2})(?:\.(\d)|-[a-z][a-z0-9-]*)?$`)
)

// Find lists the exercises that the selectors name, in order: "01" or "1" or "01-raw-watch" for a chapter, "01.2" for
// one exercise, nothing for all of them.
func (c Course) Find(selectors ...string) ([]Exercise, error) {
	all, err := c.all()
	if err != nil {
		return nil, err
	}
	if len(selectors) == 0 {
		return all, nil
	}
	wanted := map[string]bool{}
	for _, s := range selectors {
		ids, err := match(s, all)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			wanted[id] = true
		}
	}
	var out []Exercise
	for _, e := range all {
		if wanted[e.ID] {
			out = append(out, e)
		}
	}
	return out, nil
}

func match(selector string, all []Exercise) (ids []string, err error) {
	m := selectorForm.FindStringSubmatch(filepath.Base(selector))
	if m == nil {
		return nil, fmt.Errorf("%q names no exercise: write a chapter (01) or an exercise (01.2)", selector)
	}
	chapter, _ := strconv.Atoi(m[1])
	id := fmt.Sprintf("%02d.%s", chapter, m[2])
	for _, e := range all {
		if e.ID == id || m[2] == "" && strings.HasPrefix(e.ID, id) {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("there is no exercise %s; %s", selector, known(fmt.Sprintf("%02d.", chapter), all))
	}
	return ids, nil
}

// known are the exercises of a chapter, or the chapters, if it has none.
func known(chapter string, all []Exercise) string {
	var ids, chapters []string
	for _, e := range all {
		if strings.HasPrefix(e.ID, chapter) {
			ids = append(ids, e.ID)
		}
		if number, _, _ := strings.Cut(e.ID, "."); !slices.Contains(chapters, number) {
			chapters = append(chapters, number)
		}
	}
	if len(ids) > 0 {
		return "its chapter has " + strings.Join(ids, ", ")
	}
	return fmt.Sprintf("there are those of chapters %s to %s", chapters[0], chapters[len(chapters)-1])
}

func (c Course) all() ([]Exercise, error) {
	dirs, err := filepath.Glob(filepath.Join(c.Dir, "chapters", "*", "exercises", "*"))
	if err != nil {
		return nil, err
	}
	var out []Exercise
	for _, dir := range dirs {
		slug := filepath.Base(dir)
		chapter := filepath.Base(filepath.Dir(filepath.Dir(dir)))
		n, x := chapterName.FindStringSubmatch(chapter), exerciseName.FindStringSubmatch(slug)
		if n == nil || x == nil {
			continue
		}
		e := Exercise{ID: n[1] + "." + x[1], Chapter: chapter, Slug: slug, course: c}
		number, _ := strconv.Atoi(x[1])
		e.Title, e.Stars = titleOf(dir, slug, number)
		out = append(out, e)
	}
	if len(out) == 0 {
		return nil, errors.New("no exercises found in " + filepath.Join(c.Dir, "chapters"))
	}
	return out, nil
}

var titleForm = regexp.MustCompile(`^# Hints: *(?:\d\d\.\d)? *(.*)$`)

// titleOf reads "# Hints: 01.2 Follow a watch ★★". Without stars an exercise is worth its number, at most three.
func titleOf(dir, slug string, number int) (title string, stars int) {
	title = strings.ReplaceAll(slug[2:], "-", " ")
	text, err := os.ReadFile(filepath.Join(dir, "HINTS.md"))
	if err == nil {
		first, _, _ := strings.Cut(string(text), "\n")
		if m := titleForm.FindStringSubmatch(strings.TrimSpace(first)); m != nil {
			stars = strings.Count(m[1], "★")
			if t := strings.TrimSpace(strings.ReplaceAll(m[1], "★", "")); t != "" {
				title = t
			}
		}
	}
	if stars == 0 {
		stars = max(1, min(number, 3))
	}
	return title, stars
}
