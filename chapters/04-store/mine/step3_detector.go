package main

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"

	mutation "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/3-mutation"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// detect has the reader's detector watch ConfigMaps of the API server.
func (p pieces) detect(ctx context.Context, l *lab.Lab) error {
	k, err := p.open(ctx, l)
	if err != nil {
		return err
	}
	defer k.stop()
	detector := mutation.New[*corev1.ConfigMap]()
	for _, object := range k.List() {
		detector.Add(object.(*corev1.ConfigMap))
	}
	lister := corelisters.NewConfigMapLister(k.indexer).ConfigMaps(l.Namespace)
	receive := func(name, by string) (*corev1.ConfigMap, error) {
		object, err := lister.Get(name)
		if err == nil {
			detector.Received(object, by)
			l.Sent("%s receives %s", by, name)
		}
		return object, err
	}
	if _, err := receive("bread", "billing"); err != nil {
		return err
	}
	if err := nothing(l, detector.Check(), "nobody has written"); err != nil {
		return err
	}
	bread, err := receive("bread", "baker")
	if err != nil {
		return err
	}
	l.Sent("baker writes: bread.Data[salt] = none")
	bread.Data["salt"] = "none"
	found := detector.Check()
	for _, m := range found {
		l.Wire("%s: salt was %q, and is %q; received by %s", m.Object.Name, m.Was.Data["salt"], m.Object.Data["salt"],
			strings.Join(m.ReceivedBy, ", "))
	}
	if len(found) != 1 || found[0].Object != bread || found[0].Was.Data["salt"] != "some" ||
		strings.Join(found[0].ReceivedBy, " ") != "baker" {
		return fmt.Errorf("your Check should report bread, whose salt was \"some\", received by baker alone\n%s",
			seeGrader("04.3"))
	}
	if err := nothing(l, detector.Check(), "it has been told"); err != nil {
		return err
	}
	l.Conclude("Your detector knows of a write that no event, no index and no resourceVersion tells of.")
	return nil
}

// nothing checks that a comparison found nothing.
func nothing(l *lab.Lab, found []mutation.Mutation[*corev1.ConfigMap], why string) error {
	l.Became("your detector compares, and reports %d objects", len(found))
	if len(found) > 0 {
		return fmt.Errorf("your Check reports %d objects, and %s\n%s", len(found), why, seeGrader("04.3"))
	}
	return nil
}
