package claims

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
)

// Whoever needs the CRDs applies them. Where they are there, nothing is written, however many do so at a time.
func TestCRDsAreAppliedIdempotently(t *testing.T) {
	s := newStage(t)
	versions := func() (all []string) {
		definitions, err := install.Definitions()
		require.NoError(t, err)
		for _, crd := range definitions {
			a := s.must(http.MethodGet, crds+"/"+crd.GetName(), nil)
			all = append(all, a.Object().GetResourceVersion())
		}
		return all
	}
	before := versions()
	require.Len(t, before, 2)
	var wait sync.WaitGroup
	failed := make([]error, 5)
	for i := range failed {
		wait.Go(func() { failed[i] = install.CRDs(t.Context(), s.dynamic) })
	}
	wait.Wait()
	require.NoError(t, errors.Join(failed...))
	require.Equal(t, before, versions())
}

// A resource that nobody defines is waited for until the context ends, whose cause is told.
func TestWaitingForAResourceEndsWithTheContext(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("no longer interested")
	cancel(cause)
	things := schema.GroupVersionResource{Group: "nobody.example.com", Version: "v1", Resource: "things"}
	err := install.Served(ctx, s.dynamic, things)
	require.ErrorContains(t, err, "wait for things.nobody.example.com: ")
	require.True(t, errors.Is(err, cause) || errors.Is(err, context.Canceled), "%v", err)
}
