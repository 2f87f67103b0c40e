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
	list     runtime.Object
	moreThan bool // there was more than one page
}

// list is one list: it replaces the content of the store.
//
// Upstream: the method of the same name.
func (r *Reflector) list(ctx context.Context) error {
	options := metav1.ListOptions{ResourceVersion: r.options.Parts.Versions.List()}
	got, err := await(ctx, func() (pages, error) { return r.getPages(ctx, options) }, nil)
	if err == nil {
		err = r.expected.refuseList(got.list)
	}
	if err != nil {
		return fmt.Errorf("failed to list %v: %w", r.options.TypeDescription, err)
	}
	// A watch cache answers at "0" in one piece. Elsewhere pages prove nothing.
	r.paged = r.paged || options.ResourceVersion == "0" && got.moreThan
	return r.takeList(got.list)
}

// getPages sends the requests of a list.
func (r *Reflector) getPages(ctx context.Context, options metav1.ListOptions) (pages, error) {
	p := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		r.options.Observer.Request(Listing, options)
		return r.source.ListWithContext(ctx, options)
	})
	p.PageSize = r.pageSize(options.ResourceVersion, p.PageSize)
	list, moreThan, err := p.ListWithAlloc(ctx, options)
	return pages{list, moreThan}, err
}

// pageSize is 0 where a list is to have no pages: with a limit it would not be answered from the watch cache, unless
// it is at "0". A list at "" is not answered from there anyway.
func (r *Reflector) pageSize(version string, byDefault int64) int64 {
	switch {
	case r.options.PageSize != 0:
		return r.options.PageSize
	case r.paged || version == "" || version == "0":
		return byDefault
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
	if err := r.into.Replace(found, about.GetResourceVersion()); err != nil {
		return fmt.Errorf("unable to sync list result: %w", err)
	}
	r.options.Parts.Versions.Synced(about.GetResourceVersion())
	return nil
}
