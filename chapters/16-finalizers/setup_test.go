package main

import (
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// The demo's controllers and shims are this program once more.
func TestMain(m *testing.M) {
	machine.RunIfShim()
	scenario.RunIfController(scenario.Pieces{})
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	log.SetLogger(logr.Discard())
	cluster.Main(m)
}
