package reflector

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

// pages is what a list brought.
type pages struct {
	list    runtime.Object
	several bool // pages
}

// list replaces the content of the store by that of a list.
//
// Upstream: the method of the same name.
func (r *Reflector) list(ctx context.Context) outcome {
	first := r.options.Parts.Versions.List()
	return r.try(ctx, Listing, func() error {
		options := metav1.ListOptions{ResourceVersion: r.options.Parts.Versions.List()}
		// The rule of pages is that of the first version, as upstream has it: what was asked for without pages is.
		size := r.pageSize(first)
		got, err := await(ctx, func() (pages, error) { return r.getPages(ctx, options, size) }, nil)
		if err == nil {
			err = r.expected.refuseList(got.list)
		}
		if err != nil {
			return fmt.Errorf("failed to list %v: %w", r.options.TypeDescription, err)
		}
		// A watch cache answers at "0" in one piece. Elsewhere pages prove nothing.
		r.paged = r.paged || first == "0" && got.several
		return r.takeList(got.list)
	})
}

// getPages sends the requests of a list. None is sent after the end of ctx, when nobody waits for the list any more.
func (r *Reflector) getPages(ctx context.Context, options metav1.ListOptions, size int64) (pages, error) {
	p := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.options.Observer.Request(Listing, options)
		return r.source.ListWithContext(ctx, options)
	})
	p.PageSize = size
	list, several, err := p.ListWithAlloc(ctx, options)
	return pages{list, several}, err
}

// pageSize is 0 where a list is to have no pages: at a version, a list with a limit is one of exactly that version, for
// which the watch cache may have no snapshot. Without a limit any state will do that is not older, and it has one.
func (r *Reflector) pageSize(version string) int64 {
	switch {
	case r.options.PageSize != 0:
		return r.options.PageSize
	case r.paged || version == "" || version == "0":
		return pager.New(nil).PageSize // client-go's
	}
	return 0
}

// takeList replaces the content of the store by that of a list.
func (r *Reflector) takeList(list runtime.Object) error {
	about, err := meta.ListAccessor(list)
	if err != nil {
		return fmt.Errorf("unable to understand list result %#v: %w", list, err)
	}
	objects, err := meta.ExtractListWithAlloc(list)
	if err != nil {
		return fmt.Errorf("unable to understand list result %#v: %w", list, err)
	}
	found := make([]any, len(objects))
	for i, object := range objects {
		found[i] = object
	}
	version := about.GetResourceVersion()
	if err := r.into.Replace(found, version); err != nil {
		return fmt.Errorf("unable to sync list result: %w", err)
	}
	r.options.Parts.Versions.Synced(version)
	return nil
}
