package claims

import (
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest/crash"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	crash.Main(killed)
	cluster.Main(m)
}
