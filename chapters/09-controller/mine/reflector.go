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
)

// reflector makes the pieces of one. The exercises know nothing of the chapter's reflector: here they are in its words.
func (p pieces) reflector() (parts reflector.Parts) {
	if p.policy {
		parts.Policy = readersPolicy
	}
	if p.versions {
		parts.Versions = &readersVersions{}
	}
	if p.initial {
		parts.Initial = readersInitial
	}
	return parts
}

// readersVersions are told of an event as the server sent it.
type readersVersions struct{ versions.Versions }

func (v *readersVersions) Event(kind watch.EventType, version string) bool {
	sent := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{ResourceVersion: version}}
	return v.Versions.Event(watch.Event{Type: kind, Object: sent})
}

func readersPolicy(doing reflector.Doing, err error) reflector.Decision {
	var short *cache.VeryShortWatchError
	if errors.As(err, &short) {
		err = fmt.Errorf("%w: %w", policy.ErrVeryShort, err)
	}
	d := policy.Decide(policy.Doing(doing), err)
	return reflector.Decision{Next: reflector.Next(d.Next), Wait: d.Wait, Forget: d.Forget, Tell: d.Tell}
}

func readersInitial(ctx context.Context, w watch.Interface, into reflector.Collection) (string, error) {
	version, err := initial.Read(ctx, w, into)
	if errors.Is(err, initial.ErrEndedEarly) {
		err = fmt.Errorf("%w: %w", reflector.ErrEndedEarly, err)
	}
	return version, err
}
