package scenario

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Race is a race of many writers for one PodTemplate. Each has an annotation of its own, in which it counts its rounds,
// and all add one to a counter.
type Race struct {
	Way     writes.Way
	Writers int
	Rounds  int // of each writer
}

// Tally is what came of a race.
type Tally struct {
	Way                      string
	Added                    int // accepted writes that added one to the counter
	Counter                  int // at the end
	Overwritten              int // writers whose annotation is not as they wrote it last
	Refused                  int // writes
	GaveUp                   int // rounds in which a writer left the counter to its owner
	Requests, Sent, Received int64
	Accepted                 []Accepted // in the order of their versions
	First, Final             Object
}

// Lost is how many accepted additions are not in the counter.
func (t Tally) Lost() int { return t.Added - t.Counter }

// Stale is how many accepted additions were made from a counter that was another one by then. Each of them loses what
// was added in between.
func (t Tally) Stale() (n int) {
	before := int64(0)
	for _, a := range t.Accepted {
		if a.Counted && number(a.Before, counterPath...) != before {
			n++
		}
		before = number(a.After, counterPath...)
	}
	return n
}

// Accepted is a write that the API server has accepted.
type Accepted struct {
	Writer  int
	Round   int
	Counted bool // whether it holds the counter
	Body    []byte
	Before  Object // as it was read
	After   Object // as it was answered
}

// The paths in a PodTemplate.
var counterPath = []string{"template", "spec", "activeDeadlineSeconds"}

func annotationPath(writer int) []string { return []string{"metadata", "annotations", own(writer)} }

func own(writer int) string { return fmt.Sprintf("writer-%d", writer) }

// Run runs a race in a namespace. All writers begin at the same moment, and each begins with a read.
func (r Race) Run(ctx context.Context, client *http.Client, url string) (Tally, error) {
	over := &Wire{Client: client}
	first, err := over.Create(ctx, url, "maker", racing(r.Writers))
	if err != nil {
		return Tally{}, err
	}
	racers := &racers{Race: r, over: &Wire{Client: client}, url: url + "/" + field(first, "metadata", "name").(string)}
	if err := racers.together(ctx); err != nil {
		return Tally{}, err
	}
	final, err := over.Read(ctx, racers.url)
	if err != nil {
		return Tally{}, err
	}
	tally := racers.tally(first, final)
	return tally, over.Delete(ctx, racers.url)
}

// racing is the object of a race: as large as a small Deployment's.
func racing(writers int) Object {
	var containers []any
	for i := range 4 {
		containers = append(containers, Object{"name": fmt.Sprintf("part-%d", i),
			"image": "registry.example.com/part:1.0",
			"env":   []any{Object{"name": "LOG_LEVEL", "value": "info"}, Object{"name": "REGION", "value": "north"}}})
	}
	return Object{"apiVersion": "v1", "kind": "PodTemplate",
		"metadata": Object{"generateName": fmt.Sprintf("race-of-%d-", writers)},
		"template": Object{"spec": Object{"containers": containers}}}
}

// racers are the writers of a race.
type racers struct {
	Race
	over *Wire
	url  string

	lock     sync.Mutex // guards what follows
	accepted []Accepted
	refused  int
	gaveUp   int
}

// together has all writers begin at once, and ends when the last one has.
func (r *racers) together(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	begin := make(chan struct{})
	for writer := range r.Writers {
		all.Go(func() {
			<-begin
			if err := r.race(ctx, writer); err != nil {
				cancel(err) // the first one is told of
			}
		})
	}
	close(begin)
	all.Wait()
	return context.Cause(ctx)
}

// race is one writer.
func (r *racers) race(ctx context.Context, writer int) error {
	for round := 1; round <= r.Rounds; round++ {
		if err := r.round(ctx, writer, round); err != nil {
			return fmt.Errorf("writer %d, round %d: %w", writer, round, err)
		}
	}
	return nil
}

// round reads and writes until a write is accepted. Who is told that another owns the counter leaves it out.
func (r *racers) round(ctx context.Context, writer, round int) error {
	for counted := true; ; {
		read, err := r.over.Read(ctx, r.url)
		if err != nil {
			return err
		}
		write, err := r.Way.Make(own(writer), wanted(read, writer, round, counted))
		if err != nil {
			return err
		}
		answer, err := r.over.Write(ctx, r.url, write)
		if err != nil {
			return err
		}
		if answer.OK() {
			r.lock.Lock()
			r.accepted = append(r.accepted, Accepted{writer, round, counted, write.Body, read, answer.Object().Object})
			r.lock.Unlock()
			return nil
		}
		tested := strings.HasPrefix(r.Way.Name, "JSON patch") && answer.Code == http.StatusUnprocessableEntity
		if answer.Code != http.StatusConflict && !tested {
			return fmt.Errorf("%s: %s", answer, answer.Refusal())
		}
		r.lock.Lock()
		r.refused++
		if len(writes.Conflicts(refusal(answer))) > 0 {
			counted = false
			r.gaveUp++
		}
		r.lock.Unlock()
	}
}

// wanted is what a writer wants in a round.
func wanted(read Object, writer, round int, counted bool) writes.Change {
	after, mine := runtime.DeepCopyJSON(read), Object{}
	for _, o := range []Object{after, mine} {
		must(unstructured.SetNestedField(o, fmt.Sprint(round), annotationPath(writer)...))
		if counted {
			must(unstructured.SetNestedField(o, number(read, counterPath...)+1, counterPath...))
		}
	}
	return writes.Change{Before: read, After: after, Own: mine}
}

func must(err error) {
	if err != nil {
		panic(err) // the objects are this file's
	}
}

func (r *racers) tally(first, final Object) Tally {
	t := Tally{Way: r.Way.Name, Counter: int(number(final, counterPath...)), Refused: r.refused, GaveUp: r.gaveUp,
		First: first, Final: final, Accepted: inOrder(r.accepted)}
	for _, a := range t.Accepted {
		if a.Counted {
			t.Added++
		}
	}
	for writer := range r.Writers {
		if field(final, annotationPath(writer)...) != fmt.Sprint(r.Rounds) {
			t.Overwritten++
		}
	}
	t.Requests, t.Sent, t.Received = r.over.Requests()
	return t
}
