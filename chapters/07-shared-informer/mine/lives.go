package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	recreated "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/3-recreated"
)

// lives is what the reader's handler of lives told, by the objects' names.
type lives struct {
	lock sync.Mutex // guards told
	told map[string][]string
}

func (l *lives) handler() cache.ResourceEventHandler {
	return recreated.New(recreated.Lives{
		Born:    func(object metav1.Object) { l.tell(object, "born") },
		Changed: func(_, now metav1.Object) { l.tell(now, "changed") },
		Died: func(last metav1.Object, final bool) {
			what := "died unseen"
			if final {
				what = "died"
			}
			l.tell(last, what)
		},
	})
}

func (l *lives) tell(object metav1.Object, what string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.told[object.GetName()] = append(l.told[object.GetName()], what)
}

// all is what was told so far, an object a line.
func (l *lives) all() (lines []string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, name := range slices.Sorted(maps.Keys(l.told)) {
		lines = append(lines, fmt.Sprintf("the lives of %s: %s", name, strings.Join(counted(l.told[name]), ", ")))
	}
	return lines
}

// counted says once what follows itself.
func counted(all []string) (words []string) {
	for i, n := 0, 0; i < len(all); i += n {
		for n = 1; i+n < len(all) && all[i+n] == all[i]; n++ {
		}
		if words = append(words, all[i]); n > 1 {
			words[len(words)-1] += fmt.Sprintf(" %d times", n)
		}
	}
	return words
}
