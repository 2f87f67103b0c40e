package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct {
	parts managed.Parts
	world *scenario.World
}

// choose is the flag -on.
func (t *tour) choose(what string) error {
	parts, ok := map[string]managed.Parts{"upstream": managed.Upstream(), "book": managed.Book()}[what]
	if !ok {
		return fmt.Errorf("%q is not upstream or book", what)
	}
	t.parts = parts
	return nil
}

// begin makes the world, once.
func (t *tour) begin(ctx context.Context, l *lab.Lab) (w *scenario.World, err error) {
	if t.world == nil {
		t.world, err = scenario.NewWorld(ctx, l)
	}
	return t.world, err
}

// collector waits until the garbage collector can do its part.
func (t *tour) collector(ctx context.Context, l *lab.Lab) error {
	w, err := t.begin(ctx, l)
	if err != nil {
		return err
	}
	defer time.AfterFunc(2*time.Second, func() {
		l.Say("The garbage collector looks for new kinds every 30 seconds: waiting until it knows ProcessSets.")
	}).Stop()
	return w.AwaitCollector(ctx)
}

// ours is this chapter's controller.
func ours() scenario.Way { return scenario.Way{Parts: owned.Ours} }

// loud shows what a controller writes, and of a long body these fields.
func loud(l *lab.Lab, fields ...string) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		aloud := l.AloudParts(&http.Client{Transport: next}, fields...).Transport
		return transport(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return next.RoundTrip(r)
			}
			return aloud.RoundTrip(r)
		})
	}
}

// onlyChildren shows what a controller makes and deletes, and what comes of it if it is not done, or not heard of.
func onlyChildren(l *lab.Lab) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		aloud := loud(l, "metadata.name", "metadata.generateName", "preconditions")(next)
		return transport(func(r *http.Request) (*http.Response, error) {
			if !strings.Contains(r.URL.Path, "/processes") {
				return next.RoundTrip(r)
			}
			response, err := aloud.RoundTrip(r)
			switch {
			case err != nil:
				l.Wire("%v", err)
			case response.StatusCode >= http.StatusBadRequest && r.Method != http.MethodGet:
				l.Wire("%s", response.Status)
			}
			return response, err
		})
	}
}

// onlyPatches shows what a controller changes of Processes.
func onlyPatches(l *lab.Lab) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		aloud := loud(l, "metadata.ownerReferences")(next)
		return transport(func(r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodPatch || !strings.Contains(r.URL.Path, "/processes/") {
				return next.RoundTrip(r)
			}
			return aloud.RoundTrip(r)
		})
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// under has a controller work for the run's namespace, while something else is done.
func (t *tour) under(ctx context.Context, l *lab.Lab, o scenario.Options,
	do func(*scenario.World, *scenario.Site) error) error {
	w, err := t.begin(ctx, l)
	if err != nil {
		return err
	}
	o.Namespace, o.Parts = l.Namespace, t.parts
	s, err := w.Start(ctx, o)
	if err != nil {
		return err
	}
	err = do(w, s)
	if stopped := s.Stop(); err == nil {
		err = stopped
	}
	return err
}

// children are the Processes of a set's label, by their names.
func children(ctx context.Context, w *scenario.World, set *v1alpha1.ProcessSet) ([]v1alpha1.Process, error) {
	var all v1alpha1.ProcessList
	err := w.User.List(ctx, &all, client.InNamespace(set.Namespace), client.MatchingLabels(set.Spec.Selector))
	slices.SortFunc(all.Items, func(a, b v1alpha1.Process) int { return strings.Compare(a.Name, b.Name) })
	return all.Items, err
}

// names are those of Processes.
func names(all []v1alpha1.Process) string {
	var names []string
	for _, p := range all {
		name := p.Name
		if p.DeletionTimestamp != nil {
			name += " (going)"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// settled waits until a set has so many children, its status says so of this spec, and its controller rests.
func settled(ctx context.Context, w *scenario.World, s *scenario.Site, set *v1alpha1.ProcessSet, want int) error {
	return scenario.Until(ctx, func() bool {
		var is v1alpha1.ProcessSet
		all, err := children(ctx, w, set)
		return err == nil && s.Rests() && w.User.Get(ctx, client.ObjectKeyFromObject(set), &is) == nil &&
			len(all) == want && int(is.Status.Replicas) == want && is.Status.ObservedGeneration == is.Generation &&
			owned.Next(&is) >= want
	})
}

// owner is who controls a Process.
func owner(p *v1alpha1.Process) string {
	c := metav1.GetControllerOf(p)
	if c == nil {
		return "nobody"
	}
	return c.Name
}
