package mutation

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Site is a place in the program that received an object.
type Site struct {
	// Function is its name, with its package's path.
	Function string
	File     string
	Line     int
}

// String is the site in as few words as find it: main.paint (step4.go:31).
func (s Site) String() string {
	return fmt.Sprintf("%s (%s:%d)", path.Base(s.Function), path.Base(s.File), s.Line)
}

// passesOn says that a function hands on what a cache hands out, as a lister does: who calls it is the site.
func passesOn(function string) bool {
	return strings.Contains(function, "/04-store/store/mutation.") ||
		strings.HasPrefix(function, "k8s.io/client-go/tools/cache.") ||
		strings.HasPrefix(function, "k8s.io/client-go/listers.") || generatedLister.MatchString(function)
}

// generatedLister matches the packages of generated listers: listers/GROUP/VERSION.
var generatedLister = regexp.MustCompile(`/listers/[^/]+/v\d[^/]*\.`)

// caller is the first call site that does not pass on.
func caller() Site {
	counters := make([]uintptr, 32)
	frames := runtime.CallersFrames(counters[:runtime.Callers(2, counters)])
	for {
		f, more := frames.Next()
		if !more || !passesOn(f.Function) {
			return Site{Function: f.Function, File: f.File, Line: f.Line}
		}
	}
}

// sites is a set of sites. One that reads a thousand times is in it once.
type sites map[Site]struct{}

func (s *sites) add(site Site) {
	if *s == nil {
		*s = sites{}
	}
	(*s)[site] = struct{}{}
}

func (s *sites) merge(others sites) {
	for site := range others {
		s.add(site)
	}
}

// list is the set in the order of files and lines.
func (s sites) list() []Site {
	return slices.SortedFunc(maps.Keys(s), func(a, b Site) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
	})
}
