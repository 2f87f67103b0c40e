package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// with makes the book's parts, changed.
func with(change func(*mirror.Parts)) func(kubernetes.Interface) mirror.Parts {
	return func(kubernetes.Interface) mirror.Parts {
		parts := mirror.Book()
		change(&parts)
		return parts
	}
}

// edges is -fault edges: a controller that acts on events is away when one happens.
func edges(ctx context.Context, l *lab.Lab) error {
	world, err := scenario.NewWorld(ctx, l, []string{"north"})
	if err != nil {
		return err
	}
	if err := world.Source(ctx, "menu", "soup"); err != nil {
		return err
	}
	// Deletions are told by events alone: a run that finds no source does nothing.
	onEvents := scenario.Options{Parts: with(func(p *mirror.Parts) {
		p.Handler, p.Reconcile = actingOnDeletes(p.Handler)
	})}
	control, err := world.Start(ctx, onEvents)
	if err != nil {
		return err
	}
	defer func() { control.Stop() }()
	if err := control.Show(ctx, "POST north/menu"); err != nil {
		return err
	}
	control.Stop()
	l.Became("the controller has stopped")
	if err := world.Delete(ctx, "home", "menu"); err != nil {
		return err
	}
	if control, err = world.Start(ctx, onEvents); err != nil {
		return err
	}
	l.Became("the same controller begins again")
	err = do(
		func() error { return world.Source(ctx, "rules", "no smoking") }, // which shows that it is at work
		func() error { return control.Show(ctx, "POST north/rules") },
		func() error { return world.Delete(ctx, "home", "rules") },
		func() error { return control.Show(ctx, "DELETE north/rules") },
		func() error { return world.Table(ctx, "home/menu", "north/menu", "home/rules", "north/rules") },
	)
	if err != nil {
		return err
	}
	l.Conclude("It deletes what it hears the deletion of. Of menu's it will never hear: a list tells what is, and not " +
		"what was deleted before. The mirror stays, and no resync finds it.")
	return nil
}

// actingOnDeletes makes a handler that remembers which sources it has heard the deletion of, and a run that deletes the
// mirrors of those alone.
func actingOnDeletes(handler func(mirror.Relations, func(mirror.Key)) cache.ResourceEventHandler) (
	func(mirror.Relations, func(mirror.Key)) cache.ResourceEventHandler,
	func(context.Context, mirror.Key, mirror.Reader, mirror.Writer) error) {
	var heard sync.Map
	return func(r mirror.Relations, add func(mirror.Key)) cache.ResourceEventHandler {
			h := handler(r, add)
			return cache.ResourceEventHandlerFuncs{AddFunc: func(o any) { h.OnAdd(o, false) }, UpdateFunc: h.OnUpdate,
				DeleteFunc: func(o any) {
					if source, ok := o.(*corev1.ConfigMap); ok {
						heard.Store(source.Name, true)
					}
					h.OnDelete(o)
				}}
		}, func(ctx context.Context, place mirror.Key, r mirror.Reader, w mirror.Writer) error {
			if _, gone := heard.Load(place.Name); len(r.Sources(place.Name)) == 0 && !gone {
				return nil
			}
			return mirror.Reconcile(ctx, place, r, w)
		}
}

// emptyCache is -fault empty-cache: a run reads a cache that is not filled.
func emptyCache(ctx context.Context, l *lab.Lab) error {
	world, err := scenario.NewWorld(ctx, l, []string{"north", "south"})
	if err != nil {
		return err
	}
	if err := world.Source(ctx, "menu", "soup"); err != nil {
		return err
	}
	control, err := world.Start(ctx, scenario.Options{})
	if err != nil {
		return err
	}
	if err := control.Show(ctx, "POST north/menu", "POST south/menu"); err != nil {
		control.Stop()
		return err
	}
	control.Stop()
	l.Became("all is right, and the controller has stopped")
	var late *scenario.Hold
	control, err = world.Start(ctx, scenario.Options{
		Over: func(next http.RoundTripper) http.RoundTripper {
			late = scenario.HoldNow(next, "namespaces")
			return late
		},
		Parts: with(func(p *mirror.Parts) {
			p.Work = func(ctx context.Context, w mirror.Work) error {
				w.Synced = w.Synced[:2] // those of the ConfigMaps come first
				return w.Run(ctx)
			}
		}),
	})
	if err != nil {
		return err
	}
	defer control.Stop()
	defer late.Release()
	l.Became("it begins again, and waits for the ConfigMaps alone; the list of namespaces has not come")
	if err := control.Show(ctx, "DELETE north/menu", "DELETE south/menu"); err != nil {
		return err
	}
	late.Release()
	l.Became("the list of namespaces has come")
	if err := control.Show(ctx, "POST north/menu", "POST south/menu"); err != nil {
		return err
	}
	l.Conclude("The first runs saw no namespace, so none that asks for mirrors, and they deleted every mirror. An empty " +
		"cache looks like an empty world. A mirror can be made again. A volume would have lost its data.")
	return nil
}

// enoughWrites is how many it takes until one believes that there is no end.
const enoughWrites = 50

// ownTimestamp is -fault own-timestamp: each write leads to the next.
func ownTimestamp(ctx context.Context, l *lab.Lab) error {
	world, err := scenario.NewWorld(ctx, l, []string{"north"})
	if err != nil {
		return err
	}
	if err := world.Source(ctx, "menu", "soup"); err != nil {
		return err
	}
	rows := [][]string{{"what a run notes on the mirror", "runs", "writes", "in"}}
	var took time.Duration
	for _, notes := range []string{"the time", "nothing"} {
		control, err := world.Start(ctx, scenario.Options{Parts: with(func(p *mirror.Parts) {
			if notes == "the time" {
				p.Reconcile = noting
			}
		})})
		if err != nil {
			return err
		}
		begin := time.Now()
		err = scenario.Until(ctx, func() bool {
			if notes == "the time" {
				return len(control.Updates("menu")) >= enoughWrites
			}
			return control.Runs() > 0 && time.Since(begin) > took // as long as the first had
		})
		took = time.Since(begin)
		control.Stop()
		if err != nil {
			return err
		}
		writes, _ := control.Writes(0)
		rows = append(rows, []string{notes, fmt.Sprint(control.Runs()), fmt.Sprint(len(writes)),
			took.Round(time.Millisecond).String()})
	}
	l.Table(rows...)
	l.Conclude("Each write changes the mirror, the watch tells of the change, and that leads to a run, which writes. " +
		"Nothing ends it. A run that finds all right has to write nothing.")
	return nil
}

// noting is a run that notes when it was.
func noting(ctx context.Context, place mirror.Key, r mirror.Reader, w mirror.Writer) error {
	if err := mirror.Reconcile(ctx, place, r, w); err != nil {
		return err
	}
	standing, ok := r.Get(place)
	if !ok || standing.Labels[mirror.Role] != mirror.Mirror {
		return nil
	}
	noted := standing.DeepCopy()
	noted.Annotations["looked-at"] = time.Now().Format(time.RFC3339Nano)
	return w.Update(ctx, noted)
}

// staleCache is -fault stale-cache: a second write from the read that the first was made from.
func staleCache(ctx context.Context, l *lab.Lab) error {
	world, err := scenario.NewWorld(ctx, l, []string{"north"})
	if err != nil {
		return err
	}
	rows := [][]string{{"the controller", "its second PUT", "somebody's label"}}
	for _, c := range []struct {
		name, dish string
		parts      func(kubernetes.Interface) mirror.Parts
	}{
		{"names no version", "menu", bare(true)},
		{"names the version that it read", "rules", bare(false)},
		{"waits until it sees its own write", "soups", nil},
	} {
		second, label, err := twice(ctx, world, c.dish, c.parts)
		if err != nil {
			return fmt.Errorf("the controller that %s: %w", c.name, err)
		}
		rows = append(rows, []string{c.name, second, label})
	}
	l.Table(rows...)
	l.Conclude("Without a version, the second PUT writes back what the cache shows, and somebody's label is lost. With " +
		"it the server refuses, and the run is tried again. A controller that knows what it has written need not ask.")
	return nil
}

// twice has a controller update a mirror, and run again before its cache shows that. In between somebody labels the
// mirror. It says what became of the second run's write, and of the label.
func twice(ctx context.Context, world *scenario.World, dish string, parts func(kubernetes.Interface) mirror.Parts) (
	second, label string, err error) {
	var hold *scenario.Hold
	stale, labelled := make(chan struct{}, 100), make(chan struct{})
	haveLabel := sync.OnceFunc(func() { close(labelled) })
	control, err := world.Start(ctx, scenario.Options{Parts: parts,
		Over: func(next http.RoundTripper) http.RoundTripper {
			hold = scenario.HoldAtUpdate(next, "configmaps")
			return &secondWaits{next: hold, path: "/" + dish, until: labelled}
		},
		Observe: func(_ mirror.Key, err error) {
			if errors.As(err, new(*mirror.StaleError)) {
				stale <- struct{}{}
			}
		}})
	if err != nil {
		return "", "", err
	}
	defer control.Stop()
	defer hold.Release()
	defer haveLabel()
	err = do(
		func() error { return world.SourceQuietly(ctx, dish, "one") },
		func() error { return control.Await(ctx, "POST north/"+dish) },
		func() error { return world.PatchQuietly(ctx, "home", dish, scenario.Today("two")) },
		func() error { return control.Await(ctx, "PUT north/"+dish) }, // from here on its cache is behind
		func() error {
			return world.PatchQuietly(ctx, "north", dish, `{"metadata":{"labels":{"team":"kitchen"}}}`)
		},
		func() error { haveLabel(); return nil },
		func() error { return world.Touch(ctx, "north", dish) }, // which leads to a run of each place in north
		func() error {
			return scenario.Until(ctx, func() bool { return len(stale) > 0 || len(control.Updates(dish)) > 1 })
		},
	)
	if err != nil {
		return "", "", err
	}
	second = "is not sent"
	if updates := control.Updates(dish); len(updates) > 1 {
		second = fmt.Sprintf("is sent: %d %s", updates[1].Code, http.StatusText(updates[1].Code))
	}
	if label, err = world.Label(ctx, "north", dish, "team"); label == "" {
		label = "lost"
	}
	return second, label, err
}

// secondWaits is a transport that holds back each PUT to a path but the first: the event of the mirror's creation may
// lead to a run, too, and its PUT would come before the label.
type secondWaits struct {
	next  http.RoundTripper
	path  string // how the URL ends
	until <-chan struct{}
	puts  atomic.Int32
}

// RoundTrip implements http.RoundTripper.
func (s *secondWaits) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, s.path) && s.puts.Add(1) > 1 {
		select {
		case <-s.until:
		case <-r.Context().Done():
			return nil, context.Cause(r.Context())
		}
	}
	return s.next.RoundTrip(r)
}

// bare makes parts whose writer does not note what it has written, and which names no version if it is blind.
func bare(blind bool) func(kubernetes.Interface) mirror.Parts {
	return func(over kubernetes.Interface) mirror.Parts {
		parts := mirror.Book()
		parts.Reconcile = func(ctx context.Context, place mirror.Key, r mirror.Reader, w mirror.Writer) error {
			return mirror.Reconcile(ctx, place, r, plain{w, over, blind})
		}
		return parts
	}
}

// plain is a writer whose updates nobody notes.
type plain struct {
	mirror.Writer
	over  kubernetes.Interface
	blind bool
}

// Update implements mirror.Writer.
func (p plain) Update(ctx context.Context, c *corev1.ConfigMap) error {
	if p.blind {
		c.ResourceVersion = ""
	}
	_, err := p.over.CoreV1().ConfigMaps(c.Namespace).Update(ctx, c, metav1.UpdateOptions{})
	return err
}

// attempts is how often it is tried before somebody goes.
const attempts = 8

// occupied is -fault occupied: somebody else stands where a mirror should.
func occupied(ctx context.Context, l *lab.Lab) error {
	world, err := scenario.NewWorld(ctx, l, []string{"north"})
	if err != nil {
		return err
	}
	times := make(chan time.Time, 100)
	control, err := world.Start(ctx, scenario.Options{Observe: func(_ mirror.Key, err error) {
		if apierrors.IsAlreadyExists(err) {
			times <- time.Now()
		}
	}})
	if err != nil {
		return err
	}
	defer control.Stop()
	err = do(
		func() error { return world.Create(ctx, "north", "menu", "-", "of somebody") },
		func() error { return world.Source(ctx, "menu", "soup") },
		func() error { return scenario.Until(ctx, func() bool { return len(times) >= attempts }) },
	)
	if err != nil {
		return err
	}
	writes, _ := control.Writes(0)
	rows := [][]string{{"attempt", "answer", "after"}}
	var last time.Time
	for i := range attempts {
		at, after := <-times, ""
		if i > 0 {
			after = at.Sub(last).Round(time.Millisecond).String()
		}
		last = at
		answer := fmt.Sprint(writes[i].Code, " ", http.StatusText(writes[i].Code))
		rows = append(rows, []string{writes[i].String(), answer, after})
	}
	l.Table(rows...)
	control.Skip() // which has been shown
	err = do(
		func() error { return world.Table(ctx, "north/menu") },
		func() error { return world.Delete(ctx, "north", "menu") },
		func() error { return control.Show(ctx, "POST north/menu") },
	)
	if err != nil {
		return err
	}
	l.Conclude("No watch of the controller's tells of somebody's object, or that it goes. So the controller asks, later " +
		"and later, and no later than after a minute. It deletes nothing to get the place.")
	return nil
}
