package storage

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const things = "things"

// open makes a store that holds things.
func open(options Options) *Store {
	s := New(options)
	s.Install(things)
	return s
}

func thing(namespace, name string) Key { return Key{things, namespace, name} }

// content is a thing with a value and labels.
func content(key Key, value any, set map[string]string) map[string]any {
	of := map[string]any{}
	for k, v := range set {
		of[k] = v
	}
	return map[string]any{
		"metadata": map[string]any{"namespace": key.Namespace, "name": key.Name, "labels": of},
		"value":    fmt.Sprint(value),
	}
}

// put creates or updates, whatever is needed.
func put(t testing.TB, s *Store, key Key, value any, set map[string]string) *Object {
	t.Helper()
	o, err := s.Create(key, content(key, value, set))
	if err == ErrExists {
		var current *Object
		if current, err = s.Get(key); err == nil {
			o, err = s.Update(key, current.Revision, content(key, value, set))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func selector(s string) labels.Selector {
	parsed, err := labels.Parse(s)
	if err != nil {
		panic(err)
	}
	return parsed
}

func fieldSelector(s string) fields.Selector { return fields.ParseSelectorOrDie(s) }

// queued reads what a watcher has at present, without waiting.
func queued(w *Watcher) []Event {
	var got []Event
	for {
		select {
		case e, ok := <-w.Events():
			if !ok {
				return got
			}
			got = append(got, e)
		default:
			return got
		}
	}
}

// brief writes events as "ADDED a/b@5".
func brief(events []Event) []string {
	out := []string{}
	for _, e := range events {
		line := string(e.Type)
		if e.Object != nil {
			line += " " + e.Object.Namespace + "/" + e.Object.Name
		}
		out = append(out, fmt.Sprintf("%s@%d", line, e.Revision))
	}
	return out
}
