package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// ⟨to be written⟩ a claim: the wrong expectation fails, and what really happens. With its id on the last line:
// "covers: B-201".
func TestAnEmptyListIsNo404(t *testing.T) {
	c := cluster.New(t)
	resp, _ := c.Do(http.MethodGet, "/apis/apps/v1/namespaces/"+c.Namespace+"/deployments", nil)
	require.NotEqual(t, 404, resp.StatusCode, "as for an object that is not there")
	require.Equal(t, 200, resp.StatusCode)
}
