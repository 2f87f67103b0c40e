package scenario

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// writer creates, updates and deletes ConfigMaps, one request at a time, and remembers what it did.
// It talks to the server directly: only the client under test goes through the proxy.
type writer struct {
	http       *http.Client
	collection string // URL
	draw       *rand.Rand

	writes  int
	objects map[string]written // what is there now
	history map[string][]int   // what each object (name and UID) held in turn; -1 is its deletion
	serial  int
}

// written is the last state of an object that the writer made.
type written struct {
	uid             string
	counter         int
	resourceVersion string
}

// names bounds how many ConfigMaps there are at once; each name is used many times.
const names = 8

// deleted stands in a history for the deletion.
const deleted = -1

func newWriter(client *http.Client, collection string, seed uint64) *writer {
	return &writer{
		http: client, collection: collection, draw: rand.New(rand.NewPCG(seed, 1)),
		objects: map[string]written{}, history: map[string][]int{},
	}
}

// prepare makes the objects that are there before the client comes.
func (w *writer) prepare(ctx context.Context) error {
	for w.writes < names {
		if err := w.write(ctx); err != nil {
			return err
		}
	}
	w.history = map[string][]int{}
	for name, o := range w.objects {
		w.history[name+" "+o.uid] = []int{o.counter}
	}
	return nil
}

// write makes one change that the seed chooses: a name that is free is created, the others are
// updated four times out of five, else deleted.
func (w *writer) write(ctx context.Context) error {
	w.writes++
	name := fmt.Sprintf("cm-%d", w.draw.IntN(names))
	_, exists := w.objects[name]
	switch {
	case !exists:
		return w.put(ctx, http.MethodPost, w.collection, name)
	case w.draw.IntN(5) == 0:
		return w.remove(ctx, name)
	}
	return w.put(ctx, http.MethodPut, w.collection+"/"+name, name)
}

// remove deletes an object.
func (w *writer) remove(ctx context.Context, name string) error {
	if _, err := lab.MustSendJSON(ctx, w.http, http.MethodDelete, w.collection+"/"+name, nil); err != nil {
		return fmt.Errorf("the writer: %w", err)
	}
	key := name + " " + w.objects[name].uid
	w.history[key] = append(w.history[key], deleted)
	delete(w.objects, name)
	return nil
}

// clear deletes what is left, so that the next run begins as this one did.
func (w *writer) clear(ctx context.Context) error {
	for name := range w.objects {
		if err := w.remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// put creates or updates an object, with the next number in it.
func (w *writer) put(ctx context.Context, method, url, name string) error {
	w.serial++
	answer, err := lab.MustSendJSON(ctx, w.http, method, url, map[string]any{
		"metadata": map[string]any{"name": name, "labels": map[string]string{label: ""}},
		"data":     map[string]string{"counter": strconv.Itoa(w.serial)},
	})
	if err != nil {
		return fmt.Errorf("the writer: %w", err)
	}
	meta, err := watch.MetaOf(answer)
	if err != nil {
		return err
	}
	w.objects[name] = written{uid: meta.UID, counter: w.serial, resourceVersion: meta.ResourceVersion}
	key := name + " " + meta.UID
	w.history[key] = append(w.history[key], w.serial)
	return nil
}

// verify compares what the client saw with what was written.
func (w *writer) verify(seen map[string][]int) error {
	for key, want := range w.history {
		if !slices.Equal(seen[key], want) {
			return fmt.Errorf("%s was written as %v and seen as %v", key, want, seen[key])
		}
	}
	for key := range seen {
		if w.history[key] == nil {
			return fmt.Errorf("%s was seen and never written", key)
		}
	}
	return nil
}
