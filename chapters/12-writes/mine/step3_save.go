package main

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	both "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/3-both"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// never is more writes than a run makes.
const never = 100

// programs run the reader's Save in a Base, for one Process of a machine of their own.
type programs struct {
	l       *lab.Lab
	over    client.WithWatch
	machine scenario.Machine
	key     client.ObjectKey
}

// create makes the Process.
func (p *programs) create(ctx context.Context, name string) error {
	o := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: p.l.Namespace, Name: name},
		Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
	p.key = client.ObjectKeyFromObject(o)
	return p.over.Create(ctx, o)
}

// run is one program, which ends after so many writes. before is called before each.
func (p *programs) run(ctx context.Context, after int, before func()) error {
	base := writes.New(scenario.Ending(p.over, after, func(what string) {
		p.l.Sent("a patch of the %s", what)
		if before != nil {
			before()
		}
	}), p.machine.Run)
	base.Saves = func(ctx context.Context, over writes.Writer, before, after client.Object) error {
		return both.Save(ctx, over, before, after)
	}
	_, err := base.Reconcile(ctx, reconcile.Request{NamespacedName: p.key})
	return err
}

// interrupt is a write of somebody else's.
func (p *programs) interrupt(ctx context.Context) error {
	other := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: p.key.Namespace, Name: p.key.Name}}
	return p.over.Patch(ctx, other, client.RawPatch(types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"by":"somebody"}}}`)))
}

// save is step 3.
func save(ctx context.Context, l *lab.Lab) error {
	over, err := user(ctx, l)
	if err != nil {
		return err
	}
	l.Say("A program that nothing disturbs:")
	calm := &programs{l: l, over: over}
	if err := calm.create(ctx, "calm"); err != nil {
		return err
	}
	if err := calm.run(ctx, never, nil); err != nil {
		return wrong("12.3", "both should be saved: %v", err)
	}
	l.Say("And one that ends after its first write:")
	p := &programs{l: l, over: over}
	if err := p.create(ctx, "web"); err != nil {
		return err
	}
	if err := p.run(ctx, 1, nil); !errors.Is(err, scenario.ErrEnded) {
		return wrong("12.3", "the program that ends after one write should not get further: %v", err)
	}
	l.Became("the program has ended; processes started: %d", p.machine.Started())
	var failed error
	err = p.run(ctx, never, func() { failed = p.interrupt(ctx) })
	if failed != nil || !apierrors.IsConflict(err) {
		return wrong("12.3", "somebody else has written in between, and so the second program should get a "+
			"conflict: %v", errors.Join(failed, err))
	}
	l.Wire("409: somebody else has written in between")
	if err := p.run(ctx, never, nil); err != nil {
		return wrong("12.3", "the third program should save all: %v", err)
	}
	return saved(ctx, l, over, p.key, &p.machine)
}

// saved looks at the end.
func saved(ctx context.Context, l *lab.Lab, over client.Client, key client.ObjectKey, machine *scenario.Machine) error {
	var now v1alpha1.Process
	if err := over.Get(ctx, key, &now); err != nil {
		return err
	}
	if machine.Started() != 1 {
		return wrong("12.3", "one process should be started, and %d were: the status has to be saved first",
			machine.Started())
	}
	if now.Status.PID == nil || now.Labels[scenario.Node] == "" || now.Annotations["by"] != "somebody" {
		return wrong("12.3", "PID, label and somebody's annotation should be there: %v, %v, %v", now.Status.PID,
			now.Labels, now.Annotations)
	}
	l.Became("PID %d, the label %s=%s, somebody's annotation, and one process", *now.Status.PID, scenario.Node,
		now.Labels[scenario.Node])
	l.Conclude("Your Save has lost nothing of three writers, one of which ended between its writes.")
	return nil
}
