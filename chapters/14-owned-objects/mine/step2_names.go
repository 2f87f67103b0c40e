package main

import (
	"cmp"
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	names "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/2-names"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// names is step 2: a set whose cache is late, a stranger's Process with the next name, and one that is being deleted.
func (r run) names(ctx context.Context, l *lab.Lab) (err error) {
	s, err := newShop(ctx, l)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, s.clear(context.WithoutCancel(ctx), r.patience)) }()
	for _, part := range []func(context.Context) (goesOn bool, err error){s.numbers, s.holds, s.whose} {
		if goesOn, err := part(ctx); err != nil || !goesOn {
			return err
		}
	}
	l.Conclude("Each refusal was information: the cache was late, or the name was somebody else's. The set has three Processes alive, " +
		"and the stranger's is as it was.")
	return nil
}

// told is names as a page shows them.
func told(all []string) string { return cmp.Or(strings.Join(all, ", "), "none") }

// numbers is stage 1: the first names, under which two Processes are made.
func (s *shop) numbers(ctx context.Context) (goesOn bool, err error) {
	got := names.Next(s.owner(), nil, 2)
	if told(got) != "shop-0, shop-1" {
		return false, wrong("14.2", "the set has no Process: Next for 2 should return shop-0, shop-1, and returned %s", told(got))
	}
	for _, name := range got {
		if err := s.Create(ctx, name); err != nil {
			return false, err
		}
	}
	children, err := s.children(ctx)
	if err != nil {
		return false, err
	}
	got = names.Next(s.owner(), children, 2)
	if told(got) != "shop-2, shop-3" {
		return false, wrong("14.2", "the set has shop-0, shop-1: Next for 2 should return shop-2, shop-3, and returned %s", told(got))
	}
	s.lab.Became("your Next goes on with %s", told(got))
	return true, nil
}

// holds is stage 2: a Process that is being deleted, and waits for a finalizer.
func (s *shop) holds(ctx context.Context) (goesOn bool, err error) {
	s.lab.Say("Somebody deletes shop-1, which has a finalizer.")
	dying := s.process("shop-1")
	finalizer := []byte(`{"metadata":{"finalizers":["example.com/wait"]}}`)
	err = s.over.Patch(ctx, dying, client.RawPatch(types.MergePatchType, finalizer))
	if err != nil {
		return false, err
	}
	if err := s.over.Delete(ctx, dying); err != nil {
		return false, err
	}
	children, err := s.children(ctx)
	if err != nil {
		return false, err
	}
	missing, got := names.Missing(2, children), told(names.Next(s.owner(), children, 1))
	if missing == 0 {
		s.lab.Conclude("Stage 2 of 14.2 is still to be written: 2 are wanted, shop-1 is being deleted, and Missing returned 0. make " +
			"grade EX=14.2 says more.")
		return false, nil
	}
	if missing != 1 || got != "shop-2" {
		return false, wrong("14.2", "2 are wanted, the set has shop-0 and shop-1, which is being deleted: Missing and Next should "+
			"return 1 and shop-2, and returned %d and %s", missing, got)
	}
	s.lab.Became("2 are wanted: %d is missing, and its name is %s", missing, got)
	return true, nil
}

// whose is stage 3: three runs of Create.
func (s *shop) whose(ctx context.Context) (goesOn bool, err error) {
	stranger := s.process("shop-2")
	s.lab.Say("Somebody else makes shop-2, without an owner.")
	if err := s.over.Create(ctx, stranger); err != nil {
		return false, err
	}
	for _, call := range []struct {
		story  string
		unseen []string
		n      int
		want   string
	}{
		{"The cache shows no Process yet", []string{"shop-0", "shop-1"}, 1, "shop-0"},
		{"The cache shows shop-0 and shop-1", nil, 1, "shop-3"},
		{"The cache shows shop-0 and none of the others", []string{"shop-1", "shop-3"}, 2, "shop-3, shop-4"},
	} {
		s.lab.Say("%s: your Create of %d.", call.story, call.n)
		children, err := s.children(ctx, call.unseen...)
		if err != nil {
			return false, err
		}
		got, err := names.Create(ctx, s, s.owner(), children, call.n)
		if err == nil && len(got) == 0 {
			s.lab.Conclude("Stage 3 of 14.2 is still to be written: Create of %d returned no name. make grade EX=14.2 says more.", call.n)
			return false, nil
		}
		if err != nil {
			return false, wrong("14.2", "%s: Create of %d should return %s, and returned the error %v", call.story, call.n,
				call.want, err)
		}
		if told(got) != call.want {
			return false, wrong("14.2", "%s: Create of %d should return %s, and returned %s", call.story, call.n, call.want,
				told(got))
		}
		s.lab.Became("it returned %s", told(got))
	}
	return true, s.alive(ctx)
}

// alive looks at the end.
func (s *shop) alive(ctx context.Context) error {
	children, err := s.children(ctx)
	if err != nil {
		return err
	}
	var alive []string
	for _, child := range children {
		if child.DeletionTimestamp == nil {
			alive = append(alive, child.Name)
		}
	}
	if want := "shop-0, shop-3, shop-4"; told(alive) != want {
		return wrong("14.2", "the set should have %s alive, and has %s", want, told(alive))
	}
	return nil
}
