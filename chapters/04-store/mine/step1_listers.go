package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// listers has client-go's lister read the reader's store after each change.
func (p pieces) listers(ctx context.Context, l *lab.Lab) error {
	k, err := p.open(ctx, l)
	if err != nil {
		return err
	}
	defer k.stop()
	lister := corelisters.NewConfigMapLister(k.indexer).ConfigMaps(l.Namespace)
	for _, c := range changes {
		if err := k.write(ctx, c.verb, c.recipe.DeepCopy()); err != nil {
			return err
		}
		found, err := lister.List(labels.Everything())
		if err != nil {
			return err
		}
		onServer, err := k.onServer(ctx)
		if err != nil {
			return err
		}
		yours, real := versions(found), versionsOnServer(onServer)
		l.Became("your store, by namespace: %s", yours)
		if yours != real {
			return fmt.Errorf("the API server has: %s\nyour store finds: %s\n%s", real, yours, seeGrader("04.1"))
		}
		for _, o := range onServer {
			got, err := lister.Get(o.Name)
			if err != nil || got.ResourceVersion != o.ResourceVersion {
				return fmt.Errorf("the API server has %s at %s, and your store, by its key: %s\n%s",
					o.Name, o.ResourceVersion, versionOr(got, err), seeGrader("04.1"))
			}
		}
	}
	l.Conclude("After each change, what the lister finds in your store is what a fresh LIST of the server has.")
	return nil
}

// versions are objects with their versions, as text.
func versions(objects []*corev1.ConfigMap) string {
	var all []string
	for _, o := range objects {
		if o == nil { // what an index leads to that knows of an object longer than the store
			all = append(all, "an object that is nil")
			continue
		}
		all = append(all, o.Name+" at "+o.ResourceVersion)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func versionsOnServer(objects []corev1.ConfigMap) string {
	var all []*corev1.ConfigMap
	for i := range objects {
		all = append(all, &objects[i])
	}
	return versions(all)
}

func versionOr(c *corev1.ConfigMap, err error) string {
	if err != nil {
		return err.Error()
	}
	return "at " + c.ResourceVersion
}

// seeGrader says who knows more.
func seeGrader(exercise string) string { return "make grade EX=" + exercise + " says more." }
