package scenario

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// What a set of the troubles wants, what it is scaled down to, and how often it is edited.
const (
	Five  = 5
	Two   = 2
	Three = 3
)

// Trouble is something that goes wrong while a set is made, or scaled.
type Trouble struct {
	Name string
	// Want is how many the set wants, Five unless it is set.
	Want int
	// Lose is the create whose answer gets lost.
	Lose int
	// Controllers is how many work for the set.
	Controllers int
	// Scale has it begin with all that it wants, and be scaled to Two.
	Scale bool
	// Edits is how often somebody edits the set while the watch shows nothing, Three unless it is set. Each is a run.
	Edits int
	// Shown may show what the controllers send.
	Shown running.Wrap
}

// Troubles are four. In all of them the watch of Processes shows nothing until the set was edited three times, and then
// one event at a time.
func Troubles() []Trouble {
	return []Trouble{
		{Name: "late watch", Controllers: 1},
		{Name: "lost answer", Controllers: 1, Lose: Five},
		{Name: "two at once", Controllers: 2},
		{Name: "scaled to 2", Controllers: 1, Scale: true},
	}
}

// Figures are what came of it.
type Figures struct{ Most, Fewest, Made, Refused, Runs int }

// Play has a way meet a trouble. It makes a set of five, or scales one that has five to two.
func (w *World) Play(ctx context.Context, way Way, t Trouble, parts managed.Parts) (f Figures, err error) {
	name := strings.NewReplacer(" ", "-", ",", "").Replace(way.Name + "-" + t.Name)
	if t.Want == 0 {
		t.Want = Five
	}
	if t.Edits == 0 {
		t.Edits = Three
	}
	set, tally := Set(w.Lab.Namespace, name, int32(t.Want)), NewTally(0)
	if t.Scale {
		tally = NewTally(Five)
		if err := w.full(ctx, set); err != nil {
			return f, err
		}
	}
	defer func() { err = withErr(err, w.Clear(ctx, set)) }()
	var sites []*Site
	defer func() {
		for _, s := range sites {
			err = withErr(err, s.Stop())
		}
	}()
	for range t.Controllers {
		s, err := w.Start(ctx, Options{Way: way, Namespace: w.Lab.Namespace, Parts: parts, Tally: tally,
			Shown: t.Shown})
		if err != nil {
			return f, err
		}
		sites = append(sites, s)
		s.Lose(t.Lose)
	}
	if t.Controllers > 1 {
		Together(sites[0].Wire, sites[1].Wire)
	}
	if err := w.late(ctx, set, t, sites); err != nil {
		return f, fmt.Errorf("%s, %s: %w", way.Name, t.Name, err)
	}
	f = Figures{Most: tally.Most(), Fewest: tally.Fewest(), Made: tally.Made(), Refused: tally.Refused()}
	for _, s := range sites {
		f.Runs += s.Runs()
	}
	return f, nil
}

// late does what the trouble is about.
func (w *World) late(ctx context.Context, set *v1alpha1.ProcessSet, t Trouble, sites []*Site) error {
	if t.Scale {
		for _, s := range sites {
			if err := Until(ctx, func() bool { return s.Runs() > 0 && s.Rests() }); err != nil {
				return err
			}
		}
	}
	each(sites, (*Site).Close)
	begin := func() error { return w.User.Create(ctx, set) }
	if t.Scale {
		begin = func() error { return w.Scale(ctx, set, Two) }
	}
	if err := restAll(ctx, sites, begin); err != nil {
		return err
	}
	for n := range t.Edits {
		if err := restAll(ctx, sites, func() error { return w.Edit(ctx, set, n) }); err != nil {
			return err
		}
	}
	for range t.Want + 1 { // until the cache has shown all that are wanted, and one that is too much
		for _, s := range sites {
			if s.Held() == 0 {
				continue
			}
			if err := s.Next(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// Edit changes an annotation of a set.
func (w *World) Edit(ctx context.Context, set *v1alpha1.ProcessSet, n int) error {
	return w.patch(ctx, set, fmt.Sprintf(`{"metadata":{"annotations":{"edited":"%d"}}}`, n))
}

// Scale changes how many a set wants.
func (w *World) Scale(ctx context.Context, set *v1alpha1.ProcessSet, to int) error {
	return w.patch(ctx, set, fmt.Sprintf(`{"spec":{"replicas":%d}}`, to))
}

func (w *World) patch(ctx context.Context, set *v1alpha1.ProcessSet, body string) error {
	return w.User.Patch(ctx, set, client.RawPatch(types.MergePatchType, []byte(body)))
}

// full makes a set with all its children, as its controller would have left it.
func (w *World) full(ctx context.Context, set *v1alpha1.ProcessSet) error {
	set.Annotations = map[string]string{owned.NextNumber: fmt.Sprint(Five)}
	if err := w.User.Create(ctx, set); err != nil {
		return err
	}
	for n := range Five {
		if err := w.User.Create(ctx, owned.Child(set, owned.Name(set.Name, n))); err != nil {
			return err
		}
	}
	return nil
}

// Clear deletes a set and what it has.
func (w *World) Clear(ctx context.Context, set *v1alpha1.ProcessSet) error {
	if err := w.User.Delete(ctx, set); client.IgnoreNotFound(err) != nil {
		return err
	}
	return w.User.DeleteAllOf(ctx, &v1alpha1.Process{}, client.InNamespace(set.Namespace),
		client.MatchingLabels(set.Spec.Selector))
}

// restAll waits until all controllers have seen something, and rest.
func restAll(ctx context.Context, sites []*Site, do func() error) error {
	for _, s := range sites {
		inner := do
		do = func() error { return s.Rest(ctx, inner) }
	}
	return do()
}

func each(sites []*Site, do func(*Site)) {
	for _, s := range sites {
		do(s)
	}
}

func withErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}
