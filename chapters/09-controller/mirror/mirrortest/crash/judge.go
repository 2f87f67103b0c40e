package crash

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
)

// Patience is how long it may take until all is right: longer than the longest backoff by far.
const Patience = 3 * time.Minute

// Converges waits until all is as the oracle has it, and says what is not if it does not come to that.
func (w *World) Converges() (problems []string) {
	w.Awaits(func() bool {
		problems = w.State().Wrong(w.Group)
		return len(problems) == 0
	})
	return problems
}

// Touched is what controllers have done to what is not theirs.
func (w *World) Touched() []string {
	return mirrortest.Touched(w.foreign, w.State().Foreign(w.Group))
}

// quiet has the controller make writes that are known, and says what it has written besides.
func (w *World) quiet() string {
	if _, problem := w.marked("first"); problem != "" { // after which it has told of all that it wrote before
		return problem
	}
	before := w.wrote()
	wanted, problem := w.marked("last")
	if problem != "" {
		return problem
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	if got := w.writes[before:]; len(got) != wanted {
		return fmt.Sprintf("all was right, and a source needed %d mirrors more. The controller wrote:\n%s", wanted,
			strings.Join(got, "\n"))
	}
	return ""
}

// marked makes a source, and waits until the controller has told of its mirrors, of which so many are needed.
func (w *World) marked(name string) (wanted int, problem string) {
	before := w.wrote()
	w.Put(w.Namespaces[0], name, mirror.Source, "of a test")
	if problems := w.Converges(); problems != nil {
		return 0, strings.Join(problems, "\n")
	}
	for _, n := range w.State().Namespaces[1:] {
		if n.Labels[mirror.Group] == w.Group {
			wanted++
		}
	}
	if !w.Awaits(func() bool { return w.wrote()-before >= wanted }) {
		return 0, fmt.Sprintf("a source needed %d mirrors, and the controller told of %d", wanted, w.wrote()-before)
	}
	return wanted, ""
}
