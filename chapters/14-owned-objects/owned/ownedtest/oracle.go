package ownedtest

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// oracle knows what a controller must not do, and what has to be there at the end. It looks at the server, which is
// never late.
type oracle struct {
	server   *server
	problems []string
}

func (o *oracle) wrong(format string, args ...any) {
	o.problems = append(o.problems, fmt.Sprintf(format, args...))
}

// before judges a write of the controller before the server has it.
func (o *oracle) before(ctx context.Context, what string, object client.Object) {
	p, ok := object.(*v1alpha1.Process)
	if !ok {
		return
	}
	all, err := o.server.processes(ctx)
	if err != nil {
		o.wrong("%v", err)
		return
	}
	set, err := o.server.set(ctx)
	if err != nil {
		o.wrong("%v", err)
		return
	}
	there := all[p.Name]
	switch {
	case set == nil || set.DeletionTimestamp != nil:
		o.wrong("%s %s, for a set that is gone or going", what, p.Name)
	case what == "create" && there == nil:
		if have := len(controlled(set, all)); have >= int(*set.Spec.Replicas) {
			o.wrong("%s was created beside %d that are alive, and %d are wanted", p.Name, have, *set.Spec.Replicas)
		}
	case what == "create" || there == nil || there.UID != p.UID,
		what == "patch" && there.ResourceVersion != p.ResourceVersion:
		// the server refuses it
	case foreign(set, there):
		o.wrong("%s %s, which another set controls", what, said(there))
	case what == "delete" && !metav1.IsControlledBy(there, set):
		o.wrong("delete %s, which nobody controls", said(there))
	}
}

// foreign says whether somebody else controls a Process.
func foreign(set *v1alpha1.ProcessSet, p *v1alpha1.Process) bool {
	c := metav1.GetControllerOfNoCopy(p)
	return c != nil && c.UID != set.UID
}

// right says what is not as it should be when nothing happens any more: as many are alive as the set wants, all that
// match and belong to nobody are the set's, and none that does not match is.
func (o *oracle) right(ctx context.Context) {
	all, err := o.server.processes(ctx)
	if err != nil {
		o.wrong("%v", err)
		return
	}
	set, err := o.server.set(ctx)
	if set == nil || err != nil {
		if err != nil {
			o.wrong("%v", err)
		}
		return
	}
	if have := controlled(set, all); len(have) != int(*set.Spec.Replicas) {
		o.wrong("at the end %v are alive, and %d are wanted", have, *set.Spec.Replicas)
	}
	if int(set.Status.Replicas) != int(*set.Spec.Replicas) || set.Status.ObservedGeneration != set.Generation {
		o.wrong("at the end the status says %d replicas of generation %d, and %d of %d are right", set.Status.Replicas,
			set.Status.ObservedGeneration, *set.Spec.Replicas, set.Generation)
	}
	for _, p := range all {
		matches := p.Labels["app"] == app
		switch c := metav1.GetControllerOfNoCopy(p); {
		case p.DeletionTimestamp != nil:
		case c == nil && matches:
			o.wrong("at the end %s matches and is nobody's", said(p))
		case c != nil && c.UID == set.UID && !matches:
			o.wrong("at the end %s is the set's, and does not match", said(p))
		}
	}
}
