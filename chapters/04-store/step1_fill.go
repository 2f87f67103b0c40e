package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// fill is step 1: a Reflector writes, a lister reads.
func fill(ctx context.Context, l *lab.Lab) error {
	client, err := clientset(l)
	if err != nil {
		return err
	}
	for _, name := range []string{"menu", "prices"} {
		if err := create(ctx, client, l, name, "red"); err != nil {
			return err
		}
	}
	s := newTold(l)
	defer s.reflect(ctx, client)()
	if err := s.waitFor(ctx, 1); err != nil {
		return err
	}
	if err := create(ctx, client, l, "hours", "blue"); err != nil {
		return err
	}
	if err := s.waitFor(ctx, 1); err != nil {
		return err
	}
	if err := client.CoreV1().ConfigMaps(l.Namespace).Delete(ctx, "prices", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := s.waitFor(ctx, 1); err != nil {
		return err
	}
	return read(l, s)
}

// read is what a lister makes of the store.
func read(l *lab.Lab, s *told) error {
	lister := corelisters.NewConfigMapLister(s)
	l.Sent("lister.ConfigMaps(namespace).List(everything)")
	all, err := lister.ConfigMaps(l.Namespace).List(labels.Everything())
	if err != nil {
		return err
	}
	l.Wire("%d objects", len(all))
	l.Sent("lister.ConfigMaps(namespace).Get(menu), twice")
	first, err := lister.ConfigMaps(l.Namespace).Get("menu")
	if err != nil {
		return err
	}
	second, err := lister.ConfigMaps(l.Namespace).Get("menu")
	if err != nil {
		return err
	}
	l.Wire("%s at %s, and once more; the same pointer: %t", first.Name, first.ResourceVersion, first == second)
	l.Sent("lister.ConfigMaps(namespace).Get(prices)")
	_, err = lister.ConfigMaps(l.Namespace).Get("prices")
	l.Wire("%v", err)
	l.Conclude("The lister sends no request. What it returns is the store's own object, and everybody's.")
	return nil
}
