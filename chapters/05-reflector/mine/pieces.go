package main

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	policy "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/1-policy"
	versions "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/2-versions"
	initial "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/3-initial"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// pieces says which of the chapter's exercises the reader has written.
type pieces struct {
	policy   bool // 05.1: policy.Decide
	versions bool // 05.2: versions.Versions
	initial  bool // 05.3: initial.Read
}

// each is what the pieces are called, and which exercise each is.
func (p *pieces) each() []stub.Piece {
	return []stub.Piece{
		{Name: "policy", Slug: "1-policy", Yours: &p.policy},
		{Name: "versions", Slug: "2-versions", Yours: &p.versions},
		{Name: "initial events", Slug: "3-initial", Yours: &p.initial},
	}
}

// written looks at the exercises' files.
func written() (p pieces, err error) {
	root, err := repo.Root()
	if err != nil {
		return p, err
	}
	err = stub.Look(root, "05-reflector", p.each()...)
	return p, err
}

func (p pieces) none() bool { return p == pieces{} }

// String says whose the pieces are.
func (p pieces) String() string { return stub.Whose(p.each()...) }

// The exercises are packages that know nothing of the chapter's reflector: these are their pieces in its words.

func readersPolicy(doing reflector.Doing, err error) reflector.Decision {
	var short *cache.VeryShortWatchError
	if errors.As(err, &short) {
		err = fmt.Errorf("%w: %w", policy.ErrVeryShort, err)
	}
	d := policy.Decide(policy.Doing(doing), err)
	return reflector.Decision{Next: reflector.Next(d.Next), Wait: d.Wait, Forget: d.Forget, Tell: d.Tell}
}

// readersVersions are told of an event as the server sent it.
type readersVersions struct{ versions.Versions }

func (v *readersVersions) Event(kind watch.EventType, version string) bool {
	sent := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{ResourceVersion: version}}
	return v.Versions.Event(watch.Event{Type: kind, Object: sent})
}

func readersInitial(ctx context.Context, w watch.Interface, into reflector.Collection) (string, error) {
	version, err := initial.Read(ctx, w, into)
	if errors.Is(err, initial.ErrEndedEarly) {
		err = fmt.Errorf("%w: %w", reflector.ErrEndedEarly, err)
	}
	return version, err
}
