package claims

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// fixture is a cluster with a namespace of the test's own, and chapter 01's client for it.
type fixture struct {
	*cluster.Cluster
	client *watch.Client
	path   string // of the namespace's ConfigMaps
}

func setup(t *testing.T) *fixture {
	t.Helper()
	c := cluster.New(t)
	return &fixture{Cluster: c, path: watch.Path("", "v1", c.Namespace, "configmaps"),
		client: &watch.Client{Server: c.Server.String(), HTTP: c.HTTPClient()}}
}

// object is an object as JSON has it.
type object = map[string]any

// create makes a ConfigMap, and returns its resourceVersion.
func (f *fixture) create(name string) string {
	var made struct{ Metadata watch.Meta }
	f.Must(http.MethodPost, f.path, object{"metadata": object{"name": name, "labels": object{"of": "the-test"}}}, &made)
	return made.Metadata.ResourceVersion
}

// mine selects what create makes: a full cluster puts a ConfigMap of its own into each namespace.
const mine = "of=the-test"

// list lists what create made.
func (f *fixture) list(t *testing.T, o watch.Options) *watch.List {
	t.Helper()
	o.LabelSelector = mine
	l, err := f.client.List(t.Context(), f.path, o)
	require.NoError(t, err)
	return l
}

// watch opens a watch of what create made.
func (f *fixture) watch(t *testing.T, o watch.Options) *watch.Stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	o.LabelSelector = mine
	s, err := f.client.Watch(ctx, f.path, o)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// names are the names of a list's objects.
func names(t *testing.T, l *watch.List) []string {
	t.Helper()
	var n []string
	for _, item := range l.Items {
		meta, err := watch.MetaOf(item)
		require.NoError(t, err)
		n = append(n, meta.Name)
	}
	return n
}

// rest reads a stream to its end, which the watch's TimeoutSeconds brings.
func rest(s *watch.Stream) (all []watch.Event) {
	for {
		e, err := s.Next()
		if err != nil {
			return all
		}
		all = append(all, e)
	}
}

// scene is a scenario on the fixture's cluster.
func (f *fixture) scene(seed uint64, streaming bool) scenario.Run {
	const requests = 300 // that meet faults
	return scenario.Run{
		Server: f.Server, Transport: f.HTTPClient().Transport, Namespace: f.Namespace, Seed: seed,
		Script: faults.Seeded(seed, requests), Requests: requests + 1, Streaming: streaming,
	}
}
