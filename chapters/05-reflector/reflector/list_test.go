package reflector_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
)

// lists are the lists so far: "resourceVersion limit", and what else goes on a list.
func (r *run) lists() []string {
	var lists []string
	for _, request := range r.Requests() {
		if o := request.Options; request.Kind == "list" {
			text := fmt.Sprintf("%q %d", o.ResourceVersion, o.Limit)
			if o.Continue != "" {
				text += " continued"
			}
			lists = append(lists, text)
		}
	}
	return lists
}

// relist has a watch fail, so that a list follows.
func (r *run) relist() {
	later(time.Minute)
	r.Break(internalError())
	later(time.Minute)
}

func TestOnlyTheFirstListHasPages(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.begin(t)
		r.relist()
		require.Equal(t, []string{`"0" 500`, `"3" 0`}, r.lists())
	})
}

func TestAServerThatSplitsTheFirstListIsAlwaysAskedForPages(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.PageLimit = 1
		r.begin(t)
		r.relist()
		require.Equal(t, []string{`"0" 500`, `"" 500 continued`, `"3" 500`, `"" 500 continued`}, r.lists())
		require.Equal(t, []string{"Replace a b at 3", "Replace a b at 3"}, r.store.Calls())
	})
}

func TestPagesOfALaterListProveNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.begin(t)
		// A list that fails, also at "", and one at "" that does not.
		r.Fail(reflectortest.Expired(), reflectortest.Expired(), nil)
		r.PageLimit = 1
		r.relist()
		r.relist()
		require.Equal(t, []string{`"0" 500`, `"3" 0`, `"" 0`, `"" 500`, `"" 500 continued`, `"3" 0`}, r.lists())
	})
}

func TestPageSizeCountsForEachList(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.options.PageSize = 7
		r.begin(t)
		r.relist()
		require.Equal(t, []string{`"0" 7`, `"3" 7`}, r.lists())
	})
}

func TestAListAtAVersionThatIsUnavailableIsRepeatedOnceAtOnce(t *testing.T) {
	for name, err := range map[string]error{"410": reflectortest.Expired(), "too large": beyond()} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *run) {
				r.options.ListOnly = true
				r.options.Backoff = steady()
				r.Fail(err)
				r.begin(t)
				require.Equal(t, []string{`"0" 500`, `"" 500`}, r.lists())
				require.Empty(t, r.told())

				r.Fail(err, err, err, err)
				later(time.Minute)
				r.Break(internalError())
				later(10 * time.Second)
				require.Equal(t, []string{`"3" 0`, `"" 0`, `"" 500`, `"" 500`, `"" 500`}, r.lists()[2:])
				require.Len(t, r.told(), 2, "each second time")
				require.ErrorContains(t, r.told()[0], "failed to list *v1.ConfigMap: ")
				require.ErrorIs(t, r.told()[0], err)
				require.Len(t, r.delays(), 3, "the watch, and each second list")
			})
		})
	}
}

// TestAVersionStaysForgottenUntilTheStoreHasAnotherState has the store refuse the list that takes the place of one that
// is unavailable. Upstream asks for "3" again.
func TestAVersionStaysForgottenUntilTheStoreHasAnotherState(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		replaced := 0
		r.store.Refuse = func(call string) error {
			if call == "Replace" {
				replaced++
			}
			if replaced == 2 {
				return errDown
			}
			return nil
		}
		r.begin(t)
		r.Fail(reflectortest.Expired())
		r.relist()
		require.Equal(t, []string{`"0" 500`, `"3" 0`, `"" 0`, `"" 500`}, r.lists())
		r.relist()
		require.Equal(t, `"3" 0`, r.lists()[4])
	})
}

// TestWhatIsNoListOfObjectsIsAFailure has lists that can't be taken.
func TestWhatIsNoListOfObjectsIsAFailure(t *testing.T) {
	table := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "Table"}}
	for want, answer := range map[string]runtime.Object{
		"unsupported list gvk: meta.k8s.io/v1, Kind=Table": table,
		"returned object must be a list":                   reflectortest.ConfigMap("a", "", 1),
		"unable to understand list result":                 &metav1.Status{},
	} {
		t.Run(want, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *run) {
				r.options.ListOnly = true
				r.source = &cache.ListWatch{
					ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
						return answer, nil
					},
				}
				r.begin(t)
				require.Empty(t, r.store.Calls())
				require.Len(t, r.told(), 1)
				require.ErrorContains(t, r.told()[0], want)
				later(2 * time.Second)
				require.Greater(t, len(r.told()), 1, "it is asked for again")
			})
		})
	}
}

func TestAStoreThatRefusesAListIsAFailure(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.store.Refuse = func(string) error { return errDown }
		r.begin(t)
		require.Len(t, r.told(), 1)
		require.EqualError(t, r.told()[0], "unable to sync list result: down")
		require.Empty(t, r.reflector.LastSyncResourceVersion())
		later(2 * time.Second)
		require.Equal(t, []string{"list 0", "list 0"}, r.Sent()[:2])
	})
}
