package scenario

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Outcome is what came of two writes that were both made from the same object.
type Outcome struct {
	Codes  [2]int // of the answers
	Bodies [2]string
	Lost   [2]bool // whether what was accepted is not there at the end
	Final  Object
}

// String is the outcome in one word: both, lost, or the code with which the first was refused, or the second.
func (o Outcome) String() string {
	for _, code := range o.Codes {
		if code >= 300 {
			return fmt.Sprint(code)
		}
	}
	if o.Lost[0] || o.Lost[1] {
		return "lost"
	}
	return "both"
}

// Forced has two writers read an object, and then write it, one after the other. So each loss that a way allows
// happens. The object is made before, and deleted at the end; quiet does that, and over what is to be looked at.
func Forced(ctx context.Context, quiet, over *Wire, url string, s Subject, c Change, way writes.Way) (
	o Outcome, err error) {
	const name = "shop"
	if _, err := quiet.Create(ctx, url, "maker", s.Make(name)); err != nil {
		return o, err
	}
	url += "/" + name
	var read [2]Object
	for w := range Writers {
		if read[w], err = over.Read(ctx, url); err != nil {
			return o, err
		}
	}
	for w, name := range Writers {
		write, err := way.Make(name, c.Wanted(read[w], w))
		if err != nil {
			return o, err
		}
		answer, err := over.Write(ctx, url, write)
		if err != nil {
			return o, err
		}
		o.Codes[w], o.Bodies[w] = answer.Code, string(answer.Body)
	}
	if o.Final, err = quiet.Read(ctx, url); err != nil {
		return o, err
	}
	for w := range Writers {
		o.Lost[w] = o.Codes[w] < 300 && !c.Kept(o.Final, w)
	}
	return o, quiet.Delete(ctx, url)
}

// Wanted is the change of one writer.
func (c Change) Wanted(read Object, writer int) writes.Change {
	after := runtime.DeepCopyJSON(read)
	c.Set(after, writer)
	return writes.Change{Before: read, After: after, Own: c.Own(read, writer)}
}
