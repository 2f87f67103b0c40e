package storage

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// model is the store as the API describes it, without a window, an index or a queue: the whole
// log, from which everything else is computed again each time.
type model struct {
	revision uint64
	objects  map[Key]*Object
	log      []change
}

func (m *model) write(before, after *Object) {
	m.revision++
	m.log = append(m.log, change{revision: m.revision, before: before, after: after})
}

// events is what a watcher from a revision has to have seen by now, as brief writes it.
func (m *model) events(q asked, after uint64) []string {
	out := []string{}
	for _, c := range m.log {
		if c.revision <= after {
			continue
		}
		before, now := q.wants(c.before), q.wants(c.after)
		switch {
		case !before && now:
			out = append(out, fmt.Sprintf("ADDED %s/%s@%d", c.after.Namespace, c.after.Name, c.revision))
		case before && now:
			out = append(out, fmt.Sprintf("MODIFIED %s/%s@%d", c.after.Namespace, c.after.Name, c.revision))
		case before && !now:
			out = append(out, fmt.Sprintf("DELETED %s/%s@%d", c.before.Namespace, c.before.Name, c.revision))
		}
	}
	return out
}

// asked is a query, beside what it means in the model's own words.
type asked struct {
	Query
	matches func(o *Object) bool // of an object that is there
}

func (a asked) wants(o *Object) bool { return o != nil && a.matches(o) }

// anyAsked draws a query.
var anyAsked = rapid.SampledFrom([]asked{
	{Query{Resource: things}, func(*Object) bool { return true }},
	{Query{Resource: things, Namespace: "n"}, func(o *Object) bool { return o.Namespace == "n" }},
	{Query{Resource: things, Labels: selector("tier=web")}, func(o *Object) bool { return o.Labels["tier"] == "web" }},
	{Query{Resource: things, Namespace: "m", Labels: selector("own,tier=web")}, func(o *Object) bool {
		_, owned := o.Labels["own"]
		return o.Namespace == "m" && owned && o.Labels["tier"] == "web"
	}},
	{
		Query{Resource: things, Labels: selector("tier notin (web)")},
		func(o *Object) bool { return o.Labels["tier"] != "web" },
	},
	{Query{Resource: things, Fields: fieldSelector("metadata.name=b")}, func(o *Object) bool { return o.Name == "b" }},
})

// TestModel compares the store with the model, operation by operation, and every watcher, whenever
// it began, with the log.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const window = 4
		s := open(Options{History: window, Buffer: 1000})
		m := &model{revision: 1, objects: map[Key]*Object{}}
		type watching struct {
			w     *Watcher
			query asked
			want  func() []string
			got   []Event
		}
		var watchers []*watching
		defer func() {
			for _, w := range watchers {
				w.w.Stop()
			}
		}()
		anyKey := rapid.Custom(func(t *rapid.T) Key {
			return thing(rapid.SampledFrom([]string{"n", "m"}).Draw(t, "namespace"),
				rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"))
		})
		anyLabels := rapid.SampledFrom([]map[string]string{nil, {"tier": "web"}, {"tier": "db"},
			{"tier": "web", "own": "1"}})
		from := func(t *rapid.T, current *Object) uint64 {
			if current == nil || rapid.IntRange(0, 4).Draw(t, "stale") == 0 {
				return rapid.Uint64Range(0, m.revision).Draw(t, "from")
			}
			return current.Revision
		}
		refusal := func(current *Object, from uint64) error {
			switch {
			case current == nil:
				return ErrNotFound
			case current.Revision != from:
				return ErrConflict
			}
			return nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"create": func(t *rapid.T) {
				key := anyKey.Draw(t, "key")
				o, err := s.Create(key, content(key, rapid.IntRange(0, 2).Draw(t, "value"),
					anyLabels.Draw(t, "labels")))
				if exists := m.objects[key] != nil; exists != (err == ErrExists) {
					t.Fatalf("create of %v: exists=%v, and the store said %v", key, exists, err)
				} else if !exists {
					m.write(nil, o)
					m.objects[key] = o
				}
			},
			"update": func(t *rapid.T) {
				key := anyKey.Draw(t, "key")
				before := m.objects[key]
				at := from(t, before)
				set, value := anyLabels.Draw(t, "labels"), rapid.IntRange(0, 2).Draw(t, "value")
				o, err := s.Update(key, at, content(key, value, set))
				if want := refusal(before, at); want != err {
					t.Fatalf("update of %v from %d: %v, want %v", key, at, err, want)
				} else if err != nil {
					return
				}
				same := before.Content().Object["value"] == fmt.Sprint(value) && maps.Equal(before.Labels, set)
				if same != (o == before) {
					t.Fatalf("update of %v: same content %v, written %v", key, same, o != before)
				}
				if !same {
					m.write(before, o)
					m.objects[key] = o
				}
			},
			"delete": func(t *rapid.T) {
				key := anyKey.Draw(t, "key")
				before := m.objects[key]
				at := from(t, before)
				_, err := s.Delete(key, at)
				if want := refusal(before, at); want != err {
					t.Fatalf("delete of %v from %d: %v, want %v", key, at, err, want)
				} else if err == nil {
					m.write(before, nil)
					delete(m.objects, key)
				}
			},
			"watch": func(t *rapid.T) {
				q, after := anyAsked.Draw(t, "query"), rapid.Uint64Range(1, m.revision+1).Draw(t, "after")
				w, err := s.Watch(q.Query, after, false)
				forgotten := len(m.log) > window && after < m.log[len(m.log)-window-1].revision
				switch {
				case after > m.revision:
					if err != ErrFuture {
						t.Fatalf("watch after %d at %d: %v", after, m.revision, err)
					}
				case forgotten != (err != nil):
					t.Fatalf("watch after %d at %d with a window of %d: %v", after, m.revision, window, err)
				case err == nil:
					watchers = append(watchers, &watching{w: w, query: q, got: w.Initial,
						want: func() []string { return m.events(q, after) }})
				}
			},
			"watch from the state": func(t *rapid.T) {
				q, at := anyAsked.Draw(t, "query"), m.revision
				w, err := s.Watch(q.Query, 0, true)
				if err != nil {
					t.Fatal(err)
				}
				watchers = append(watchers, &watching{w: w, query: q, want: func() []string { return m.events(q, at) }})
			},
			"": func(t *rapid.T) {
				found, revision := s.List(Query{Resource: things})
				if revision != m.revision || len(found) != len(m.objects) {
					t.Fatalf("%d objects at %d, want %d at %d", len(found), revision, len(m.objects), m.revision)
				}
				for _, o := range found {
					if m.objects[o.Key] != o {
						t.Fatalf("%v is another object than the one last written", o.Key)
					}
				}
				for _, w := range watchers {
					w.got = append(w.got, queued(w.w)...)
					if got, want := brief(w.got), w.want(); !slices.Equal(got, want) {
						t.Fatalf("watcher of %+v\n got %v\nwant %v", w.query.Query, got, want)
					}
				}
			},
		})
	})
}
