package lab

// ForeignConfigMap is what kube-controller-manager puts into every namespace, when it pleases. A control plane without
// it has none.
const ForeignConfigMap = "kube-root-ca.crt"

// OwnConfigMaps is the field selector of all ConfigMaps but the one that a full cluster puts into every namespace, so
// that a demo says the same, and a test counts the same, everywhere.
const OwnConfigMaps = "metadata.name!=" + ForeignConfigMap

// Foreign says whether a ConfigMap with this name is the cluster's and not the run's, for a reader that asked without
// [OwnConfigMaps].
func Foreign(name string) bool { return name == ForeignConfigMap }
