package ownedtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// ErrLost is what a controller gets for a write whose answer was lost. The server has done it.
var ErrLost = errors.New("the connection broke before the answer came")

// server is controller-runtime's fake client with what it leaves out: UIDs, generations, and preconditions of
// deletions. Each write of a controller goes through over, which may lose the answer, and is judged.
type server struct {
	client.WithWatch // as a user sends
	over             client.Client
	judge            *oracle
	after            func(context.Context) error // each write of the controller
	lose             bool                        // the next answer
	writes           int                         // of the controller
	uids             int
}

func newServer() (*server, error) {
	known := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(known); err != nil {
		return nil, err
	}
	s := &server{}
	inner := fake.NewClientBuilder().WithScheme(known).WithGlobalResourceVersionCounter().
		WithStatusSubresource(&v1alpha1.Process{}, &v1alpha1.ProcessSet{}).Build()
	s.WithWatch = interceptor.NewClient(inner, interceptor.Funcs{Create: s.create, Delete: s.delete})
	s.over = interceptor.NewClient(s.WithWatch, interceptor.Funcs{
		Create: func(ctx context.Context, over client.WithWatch, o client.Object,
			options ...client.CreateOption) error {
			return s.send(ctx, "create", o, func() error { return over.Create(ctx, o, options...) })
		},
		Delete: func(ctx context.Context, over client.WithWatch, o client.Object,
			options ...client.DeleteOption) error {
			return s.send(ctx, "delete", o, func() error { return over.Delete(ctx, o, options...) })
		},
		Patch: func(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			return s.send(ctx, "patch", o, func() error { return over.Patch(ctx, o, p, options...) })
		},
		SubResourcePatch: func(ctx context.Context, over client.Client, sub string, o client.Object, p client.Patch,
			options ...client.SubResourcePatchOption) error {
			return s.send(ctx, sub, o, func() error { return over.SubResource(sub).Patch(ctx, o, p, options...) })
		},
	})
	return s, nil
}

// send passes a controller's write on.
func (s *server) send(ctx context.Context, what string, o client.Object, pass func() error) error {
	s.writes++
	s.judge.before(ctx, what, o)
	err := pass()
	if noted := s.after(ctx); noted != nil {
		return noted
	}
	if err == nil && s.lose {
		s.lose = false
		return ErrLost
	}
	return err
}

func (s *server) create(ctx context.Context, over client.WithWatch, o client.Object,
	options ...client.CreateOption) error {
	s.uids++
	o.SetUID(types.UID(fmt.Sprint("uid-", s.uids)))
	o.SetGeneration(1)
	return over.Create(ctx, o, options...)
}

// delete looks at the UID that the deletion names.
func (s *server) delete(ctx context.Context, over client.WithWatch, o client.Object,
	options ...client.DeleteOption) error {
	var all client.DeleteOptions
	for _, one := range options {
		one.ApplyToDelete(&all)
	}
	if p := all.Preconditions; p != nil && p.UID != nil {
		there, ok := o.DeepCopyObject().(client.Object)
		if !ok {
			return fmt.Errorf("%T: its copy is no object", o)
		}
		if err := over.Get(ctx, client.ObjectKeyFromObject(o), there); err != nil {
			return err
		}
		if there.GetUID() != *p.UID {
			return apierrors.NewConflict(schema.GroupResource{Resource: "processes"}, o.GetName(),
				errors.New("the UID in the precondition does not match"))
		}
	}
	return over.Delete(ctx, o, options...)
}

// processes are those that there are, by name.
func (s *server) processes(ctx context.Context) (map[string]*v1alpha1.Process, error) {
	var all v1alpha1.ProcessList
	if err := s.List(ctx, &all); err != nil {
		return nil, err
	}
	by := map[string]*v1alpha1.Process{}
	for i := range all.Items {
		by[all.Items[i].Name] = &all.Items[i]
	}
	return by, nil
}

// set is the one that there is, or nil.
func (s *server) set(ctx context.Context) (*v1alpha1.ProcessSet, error) {
	set := &v1alpha1.ProcessSet{}
	err := s.Get(ctx, key, set)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return set, err
}

// controlled are the Processes that a set controls and that are not being deleted.
func controlled(set *v1alpha1.ProcessSet, all map[string]*v1alpha1.Process) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if p := all[name]; p.DeletionTimestamp == nil && metav1.IsControlledBy(p, set) {
			names = append(names, name)
		}
	}
	return names
}

// said is an object in a few words.
func said(p *v1alpha1.Process) string {
	return strings.TrimSpace(fmt.Sprint(p.Name, " ", p.UID))
}
