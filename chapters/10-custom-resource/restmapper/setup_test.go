package restmapper_test

import (
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // or upstream's mapper logs what it is not served
	testkit.Main(m)
}
