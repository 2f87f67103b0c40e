package main

import (
	"context"
	"fmt"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/published"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// example is code that is published, or the form of it that works.
type example struct {
	name   string
	behind bool // whether somebody writes after the read
	run    func(ctx context.Context, over client.Client, p *v1alpha1.Process) error
}

// What the examples write.
const (
	grace = 5
	pid   = 7
)

// examples are in pairs.
func examples() []example {
	type written = func(context.Context, client.Client, *v1alpha1.Process, int32) error
	one := func(f written) func(context.Context, client.Client, *v1alpha1.Process) error {
		return func(ctx context.Context, over client.Client, p *v1alpha1.Process) error {
			return f(ctx, over, p, grace)
		}
	}
	type both = func(context.Context, client.Client, *v1alpha1.Process, int32, int32) error
	two := func(f both) func(context.Context, client.Client, *v1alpha1.Process) error {
		return func(ctx context.Context, over client.Client, p *v1alpha1.Process) error {
			return f(ctx, over, p, grace, pid)
		}
	}
	return []example{
		{"ApplyWhatWasRead", false, one(published.ApplyWhatWasRead)},
		{"ApplyWhatIsOwn", false, one(published.ApplyWhatIsOwn)},
		{"OnePatchForBoth", false, two(published.OnePatchForBoth)},
		{"OnePatchForEach", false, two(published.OnePatchForEach)},
		{"UpdateLastWins", true, one(published.UpdateLastWins)},
		{"PatchLastWins", true, one(published.PatchLastWins)},
	}
}

// asPublished is step 6.
func asPublished(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	user, err := clientOf(l, l.HTTPClient(), nil)
	if err != nil {
		return err
	}
	shown, err := clientOf(l, l.Aloud(l.HTTPClient()), user.RESTMapper())
	if err != nil {
		return err
	}
	for i, e := range examples() {
		p, err := scenario.Made(ctx, user, l.Namespace, fmt.Sprintf("example-%d", i+1))
		if err != nil {
			return err
		}
		l.Say("published.%s", e.name)
		if e.behind {
			if err := scenario.Labelled(ctx, user, p); err != nil {
				return err
			}
		}
		key := client.ObjectKeyFromObject(p)
		if err := e.run(ctx, shown, p); err != nil {
			l.WireWhole(err.Error())
		}
		var now v1alpha1.Process
		if err := user.Get(ctx, key, &now); err != nil {
			return err
		}
		l.Became("gracePeriodSeconds is %d, the PID is %s", *now.Spec.GracePeriodSeconds, pidOf(&now))
	}
	l.Conclude("An apply sends what is one's own, and not what was read. A patch with a version is for one request. An " +
		"update has a version, and so the first write wins; a patch that has none overwrites what it holds.")
	return nil
}

func pidOf(p *v1alpha1.Process) string {
	if p.Status.PID == nil {
		return "nothing"
	}
	return fmt.Sprint(ptr.Deref(p.Status.PID, 0))
}
